/* SPDX-License-Identifier: BSD-3-Clause */
/* Hundreds of rows whose lengths are there at once, each of which leads to hundreds of increments: with
   little memory for what waits, a row does not begin before the increments of others are done. */
#include "job.h"

#ifdef REORDER
enum { rows = 20, longest = 12, cells = 7 };
#else
enum { rows = 400, longest = 800, cells = 50 };
#endif

static int64_t length_of(int64_t row) {
  return longest - (int64_t)(mixed((uint64_t)row, 3) % 5);
}

/* The sum of what the cells had before. */
static int64_t walk(shmem_ctx_t ctx, const int64_t* lengths, int64_t* hits, int me, int npes) {
  int64_t sum = 0;
#pragma shmem defer strict
  for (int64_t row = 0; row < rows; row++) {
    const int64_t length = shmem_ctx_int64_g(ctx, &lengths[row], (int)((row + me) % npes));
    for (int64_t i = 0; i < length; i++)
      sum += shmem_ctx_int64_atomic_fetch_inc(ctx, &hits[i % cells], (int)((row + i) % npes));
  }
  shmem_ctx_quiet(ctx);
  return sum;
}

int main(void) {
  shmem_ctx_t ctx = start();
  const int npes = shmem_n_pes();
  int64_t *lengths = symmetric(rows), *hits = symmetric(cells), *total = symmetric(2);
  FOR_MY_PES(me)
  for (int64_t row = 0; row < rows; row++) PART(lengths, me)[row] = length_of(row);
  shmem_barrier_all();
  FOR_MY_PES(me) shmem_ctx_int64_atomic_add(ctx, &total[0], walk(ctx, lengths, hits, me, npes), 0);
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  FOR_MY_PES(me)
  for (int cell = 0; cell < cells; cell++) {
    const int64_t count = PART(hits, me)[cell];
    shmem_ctx_int64_atomic_add(ctx, &total[1], count * (count - 1) / 2, 0);
  }
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("wrong: %d\n", total[0] != total[1]);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
