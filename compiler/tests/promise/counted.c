/* SPDX-License-Identifier: BSD-3-Clause */
/* Fetching updates gain something even where all memory is shared and in a cache. */
/* says nothing; near: deferred */
#include "../programs/job.h"

static int64_t count(shmem_ctx_t ctx, int64_t* table) {
  int64_t sum = 0;
#pragma shmem defer strict
  for (int64_t i = 0; i < 20; i++)
    sum += 3 * shmem_ctx_int64_atomic_fetch_inc(ctx, &table[i * i % 10], shmem_my_pe());
  shmem_ctx_quiet(ctx);
  return sum;
}

int main(void) {
  const shmem_ctx_t ctx = start();
  int64_t* table = symmetric(entries_of_table());
  printf("%ld\n", (long)count(ctx, table));
  shmem_finalize();
  return 0;
}
