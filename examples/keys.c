/* SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const unsigned long npes = (unsigned long)shmem_n_pes();
  long* seen = shmem_calloc(100000, sizeof *seen); /* on each PE */
  shmem_ctx_t ctx;
  shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx);
  unsigned long random = (unsigned long)shmem_my_pe();
  static long mine, total;
#pragma shmem defer
  for (int i = 0; i < 1000000; i++) {
    random = random * 6364136223846793005 + 1442695040888963407;
    const unsigned long key = (random >> 33) % (100000 * npes);
    const long before = shmem_ctx_long_atomic_fetch_inc(ctx, &seen[key / npes], (int)(key % npes));
    if (before == 0) mine++;
  }
  shmem_ctx_quiet(ctx); /* everything of this PE has happened */
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &total, &mine, 1);
  if (shmem_my_pe() == 0) printf("%ld different keys\n", total);
  shmem_finalize();
}
