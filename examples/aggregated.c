/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM with an aggregated context: 100,000 scattered increments by each PE. Without the option
   SHMEMX_CTX_AGGREGATE the same program sends each of them by itself. */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>

enum { entries = 1000, updates = 100000 };

static unsigned long next_random(unsigned long* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  unsigned long* table = shmem_calloc(entries, sizeof *table); /* entries on each PE */
  unsigned long state = (unsigned long)me;

  shmem_ctx_t ctx;
  shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx);
  for (int i = 0; i < updates; i++) {
    const unsigned long at = next_random(&state) % (entries * (unsigned long)npes);
    shmem_ctx_ulong_atomic_inc(ctx, &table[at / (unsigned long)npes], (int)(at % (unsigned long)npes));
  }
  shmem_ctx_quiet(ctx); /* my increments have happened */
  shmem_barrier_all();  /* everybody's have */

  static unsigned long mine, all; /* global variables are symmetric */
  for (int i = 0; i < entries; i++) mine += table[i];
  shmem_ulong_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
  if (me == 0) printf("%lu increments counted by %d PEs\n", all, npes);
  const int wrong = all != (unsigned long)npes * updates;
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return wrong;
}
