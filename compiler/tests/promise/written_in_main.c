/* SPDX-License-Identifier: BSD-3-Clause */
/* As written.c, in the function that calls shmem_init: which version of it runs is chosen before. */
// says: code at .*main.c:15 that does not wait for a fetch writes what the fetch at .*main.c:14 reads
#include "../programs/job.h"

int main(void) {
  int64_t** const kept = (int64_t**)malloc(sizeof *kept);
  shmem_ctx_t ctx = start();
  int64_t *table = symmetric(50), sum = 0;
  if (kept == NULL) return 2;
  *kept = table;
#pragma shmem defer
  for (int64_t i = 0; i < 50; ++i) {
    sum += shmem_ctx_int64_g(ctx, &table[i * 7 % 50], shmem_my_pe());
    (*kept)[i] = i;
  }
  printf("%lld\n", (long long)sum);
  free(kept);
  shmem_finalize();
  return 0;
}
