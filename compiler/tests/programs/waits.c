/* SPDX-License-Identifier: BSD-3-Clause */
/* A token goes around, and nobody calls quiet: what has been deferred goes on while its PE waits for the
   token to come again. Loops that test for it are waits too. Not for the reordering runtime: there is nobody
   else. */
#include "job.h"

enum { rounds = 100, cells = 64 };

/* The next PE gets the token behind a fetch from the one after it. */
static void pass(shmem_ctx_t ctx, const int64_t* values, int64_t* token, int64_t* seen, int64_t round, int me,
                 int npes) {
#pragma shmem defer strict
  {
    const int next = (me + 1) % npes, from = (me + 2) % npes;
    const int64_t value = shmem_ctx_int64_g(ctx, &values[round % cells], from);
    shmem_ctx_int64_atomic_add(ctx, seen, value % 1000, next);
    shmem_ctx_int64_atomic_set(ctx, token, round + (next == 0) + (value < 0), next);
  }
}

static void await_token(int64_t* token, int64_t round) {
  if (round % 2 == 0)
    shmem_int64_wait_until(token, SHMEM_CMP_GE, round);
  else
    while (!shmem_int64_test(token, SHMEM_CMP_GE, round)) {
    }
}

int main(void) {
  shmem_ctx_t ctx = start();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  int64_t *values = symmetric(cells), *token = symmetric(1), *seen = symmetric(1), *total = symmetric(1);
  for (int64_t i = 0; i < cells; ++i) values[i] = (int64_t)(mixed((uint64_t)i, 1) >> 1);
  if (me == 0) *token = 1;
  shmem_barrier_all();
  for (int64_t round = 1; round <= rounds; ++round) {
    await_token(token, round);
    pass(ctx, values, token, seen, round, me, npes);
  }
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  if (*token != rounds + (me == 0)) {
    fprintf(stderr, "PE %d: the token is in round %ld\n", me, (long)*token);
    return 1;
  }
  /* Each PE has seen the same. */
  shmem_ctx_int64_atomic_add(ctx, total, *seen, 0);
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  if (me == 0) printf("%ld\n", (long)(*total / npes));
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
