/* SPDX-License-Identifier: BSD-3-Clause */
/* As written.c, in the function that calls shmem_init: which version of it runs is chosen before. */
// says: code at .*main.c:16 that does not wait for a fetch writes what the fetch at .*main.c:15 reads
#include "../programs/job.h"

int main(void) {
  char text[40];
  void* other;
  shmem_ctx_t ctx = start();
  int64_t *table = symmetric(50), sum = 0;
  snprintf(text, sizeof text, "%p", (void*)table);
  if (sscanf(text, "%p", &other) != 1) return 2;
#pragma shmem defer
  for (int64_t i = 0; i < 50; ++i) {
    sum += shmem_ctx_int64_g(ctx, &table[i * 7 % 50], shmem_my_pe());
    ((int64_t*)other)[i] = i;
  }
  printf("%lld\n", (long long)sum);
  shmem_finalize();
  return 0;
}
