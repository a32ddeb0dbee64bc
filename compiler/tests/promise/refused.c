/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a fetch on a condition is refused, nothing is fetched unless the condition holds: nothing of the
   symmetric heap, which is empty. */
/* says nothing; near: deferred, since the fetches of all rounds are one */
#include "../programs/job.h"

static int64_t table[20];

static int64_t refused(shmem_ctx_t ctx) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 20; i++) {
    int64_t found = 7;
    if (i & 1) found = shmem_ctx_int64_g(ctx, &table[i], 0);
    sum += found;
    if (sum > 500) break;
  }
  return sum;
}

static int64_t deferred(shmem_ctx_t ctx) {
  int64_t sum = 0;
#pragma shmem defer strict
  for (int64_t i = 0; i < 20; i++) sum = sum * 3 + shmem_ctx_int64_g(ctx, &table[i], 0);
  return sum;
}

int main(void) {
  const shmem_ctx_t ctx = start();
  if (entries_of_table() > 50) shmem_malloc((size_t)entries_of_table());
  for (int64_t i = 0; i < 20; i++) table[i] = 7 * i % 5;
  shmem_barrier_all();
  printf("%ld\n", (long)(refused(ctx) + deferred(ctx)));
  shmem_finalize();
  return 0;
}
