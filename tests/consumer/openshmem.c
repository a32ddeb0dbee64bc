// SPDX-License-Identifier: BSD-3-Clause
// An OpenSHMEM program as other projects have it, for C11 and C++ alike. Its argument is the number of PEs it
// expects.
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>

static long counters[4]; // symmetric

static int count_in(shmem_ctx_t ctx, int pes) {
  for (int i = 0; i < 1000; ++i) shmem_ctx_long_atomic_inc(ctx, &counters[i % 4], i % pes);
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  long expected[4] = {0, 0, 0, 0};
  for (int i = 0; i < 1000; ++i)
    if (i % pes == shmem_my_pe()) expected[i % 4] += pes;
  for (int i = 0; i < 4; ++i)
    if (counters[i] != expected[i]) return 0;
  return 1;
}

int main(int argc, char** argv) {
  shmem_init();
  const int pes = shmem_n_pes();
  shmem_ctx_t ctx;
  int good = argc == 2 && atoi(argv[1]) == pes && shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx) == 0;
  if (good) good = count_in(ctx, pes);
  long* sum = (long*)shmem_malloc(2 * sizeof *sum);
  sum[0] = shmem_my_pe();
  shmem_sum_reduce(SHMEM_TEAM_WORLD, sum + 1, sum, 1);
  good = good && sum[1] == (long)pes * (pes - 1) / 2;
  if (!good) fprintf(stderr, "PE %d of %d: wrong\n", shmem_my_pe(), pes);
  shmem_finalize();
  return good ? 0 : 1;
}
