/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs at owners has run when the function returns: what is fetched on another context, before any
 * quiet, sees it. */
#include "job.h"

enum { cells = 64, rounds = 200 };

__attribute__((noinline)) static void take_tickets(shmem_ctx_t ctx, int64_t* next, int64_t* log,
                                                   int64_t round, int npes) {
#pragma shmem defer strict
  for (int64_t k = 0; k < 5; ++k) {
    const int64_t cell = (int64_t)(mixed((uint64_t)round, (uint64_t)k) % cells);
    const int pe = (int)(cell % npes);
    const int64_t at = shmem_ctx_int64_atomic_fetch_inc(ctx, &next[cell / npes], pe);
    shmem_ctx_int64_atomic_add(ctx, &log[cell / npes], at * k, pe);
  }
}

static uint64_t read_all(const int64_t* from, int npes) {
  uint64_t hash = 1;
  for (int64_t cell = 0; cell < cells; ++cell)
    hash = hash * 31 + (uint64_t)shmem_int64_g(&from[cell / npes], (int)(cell % npes));
  return hash;
}

int main(void) {
  shmem_ctx_t ctx = start();
  const int npes = shmem_n_pes();
  int64_t *next = symmetric(cells), *log = symmetric(cells);
  shmem_barrier_all();
  FOR_MY_PES(me) {
    uint64_t hash = 1;
    for (int64_t round = 0; me == 0 && round < rounds; ++round) {
      take_tickets(ctx, next, log, round, npes);
      hash = mixed(hash, read_all(next, npes));
    }
    shmem_ctx_quiet(ctx);
    if (me == 0) printf("%llx %llx\n", (unsigned long long)hash, (unsigned long long)read_all(log, npes));
  }
  shmem_barrier_all();
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
