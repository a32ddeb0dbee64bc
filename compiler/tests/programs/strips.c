/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that open records and do nothing else with the library, so long that chunks and messages fill: with
   ways out in the middle, over rows of different lengths, on two contexts in turn, with values that are
   common to many records but not to all, with operands that change, with near values, and with updates in
   deferred code. */
#include "job.h"

enum { cells = 300, rounds = 24000 };

static int64_t cell_of(int64_t round, uint64_t which) {
  return (int64_t)(mixed((uint64_t)round, which) % cells);
}

/* Each call goes on where the one before has left its loop. */
static int64_t with_ways_out(shmem_ctx_t ctx, int64_t* counts, int64_t from, int64_t* next, int me,
                             int npes) {
  int64_t sum = 0;
#pragma shmem defer strict
  for (int64_t round = from; round < rounds; round++) {
    *next = round + 1;
    if (round % npes != me) continue;
    const int64_t cell = cell_of(round, 1);
    if (mixed((uint64_t)round, 2) % 512 == 0) break;
    sum += shmem_ctx_int64_atomic_fetch_add(ctx, &counts[cell / npes], 1, (int)(cell % npes));
  }
  shmem_ctx_quiet(ctx);
  return sum;
}

static int64_t leave_and_return(shmem_ctx_t ctx, shmem_ctx_t other, int64_t* counts, int64_t* rows, int me,
                                int npes) {
  int64_t sum = 0;
  (void)other;
  (void)rows;
  for (int64_t next = 0; next < rounds;) sum += with_ways_out(ctx, counts, next, &next, me, npes);
  return sum;
}

/* Rows of up to 40 entries, many of them empty. `row` is in every record, and `scale` changes now and then.
 */
static int64_t over_rows(shmem_ctx_t ctx, shmem_ctx_t other, int64_t* counts, int64_t* rows, int me,
                         int npes) {
  int64_t sum = 0;
  (void)other;
  (void)rows;
#pragma shmem defer strict
  for (int64_t row = me; row < rounds / 16; row += npes) {
    const int64_t size = (int64_t)(mixed((uint64_t)row, 3) % 41) - 8, scale = row / 100;
    for (int64_t i = 0; i < size; i++) {
      const int64_t cell = cell_of(row + i * rounds, 4);
      const int64_t before = shmem_ctx_int64_atomic_fetch_inc(ctx, &counts[cell / npes], (int)(cell % npes));
      sum += (before >= 0) * (row + scale * 1000000);
    }
  }
  shmem_ctx_quiet(ctx);
  return sum;
}

/* On one context, then on the other, for uneven whiles. */
static int64_t on_two_contexts(shmem_ctx_t ctx, shmem_ctx_t other, int64_t* counts, int64_t* rows, int me,
                               int npes) {
  const shmem_ctx_t both[] = {ctx, other};
  int64_t sum = 0;
  (void)rows;
#pragma shmem defer strict
  for (int64_t round = me; round < rounds; round += npes) {
    const shmem_ctx_t on = both[mixed((uint64_t)round / 37, 5) % 2];
    const int64_t cell = cell_of(round, 6), added = mixed((uint64_t)round / 11, 7) % 3;
    sum += shmem_ctx_int64_atomic_fetch_add(on, &counts[cell / npes], added, (int)(cell % npes)) >= 0 ? added
                                                                                                      : -1;
  }
  shmem_ctx_quiet(ctx);
  shmem_ctx_quiet(other);
  return sum;
}

/* Near values of two widths beside one that travels. */
static int64_t mixed_block(shmem_ctx_t ctx, shmem_ctx_t other, int64_t* counts, int64_t* rows, int me,
                           int npes) {
  int64_t sum = 0;
  (void)other;
#pragma shmem defer strict
  for (int64_t round = me; round < rounds; round += npes) {
    const int64_t a = cell_of(round, 8), b = cell_of(round, 9);
    const int64_t wide = shmem_ctx_int64_g(ctx, &rows[a / npes], (int)(a % npes));
    const int64_t before = shmem_ctx_int64_atomic_fetch_add(ctx, &counts[b / npes], 2, (int)(b % npes));
    const int32_t narrow = shmem_ctx_int32_g(ctx, (const int32_t*)&rows[b / npes], (int)(b % npes));
    sum += wide * (round % 5) + narrow + (before < 0);
  }
  shmem_ctx_quiet(ctx);
  return sum;
}

/* Values that are only read, in loops of all lengths. Each PE reads them all, in the order of the program. */
static int64_t near_values(shmem_ctx_t ctx, shmem_ctx_t other, int64_t* counts, int64_t* rows, int me,
                           int npes) {
  int64_t all = 0;
  (void)other;
  (void)counts;
  for (int64_t from = 0, length = 1; from < rounds; from += length, length = length % 700 + 13) {
    int64_t sum = 1;
#pragma shmem defer strict
    for (int64_t round = from; round < from + length; round++) {
      const int64_t cell = cell_of(round, 10);
      sum = (sum * 3 + shmem_ctx_int64_g(ctx, &rows[cell / npes], (int)(cell % npes))) % 1000003;
    }
    shmem_ctx_quiet(ctx);
    all += sum;
  }
  return me == 0 ? all : 0;
}

/* Deferred updates of two kinds, on both contexts. */
static int64_t with_updates(shmem_ctx_t ctx, shmem_ctx_t other, int64_t* counts, int64_t* rows, int me,
                            int npes) {
  const shmem_ctx_t both[] = {ctx, other};
  (void)rows;
#pragma shmem defer strict no_fusion
  for (int64_t round = me; round < rounds; round += npes) {
    const int64_t a = cell_of(round, 11), b = cell_of(round, 12);
    const shmem_ctx_t second = both[round / 50 % 2];
    const int64_t before = shmem_ctx_int64_atomic_fetch_inc(ctx, &counts[a / npes], (int)(a % npes));
    shmem_ctx_int64_atomic_add(ctx, &counts[b / npes], (before >= 0) * (round % 4), (int)(b % npes));
    if (before >= 0) shmem_ctx_int64_atomic_inc(second, &counts[a / npes], (int)(a % npes));
  }
  shmem_ctx_quiet(ctx);
  shmem_ctx_quiet(other);
  return 0;
}

typedef int64_t (*part)(shmem_ctx_t, shmem_ctx_t, int64_t*, int64_t*, int, int);

/* What does not depend on who was first: the sum of the counts, each with its cell, and of what was seen. */
static void run(const char* name, part work, int sees_the_same, const shmem_ctx_t* on, int64_t* counts,
                int64_t* rows, int64_t* total) {
  const int npes = shmem_n_pes();
  FOR_MY_PES(me) {
    const int64_t seen = work(on[0], on[1], counts, rows, me, npes);
    if (sees_the_same) shmem_ctx_int64_atomic_add(on[0], &total[0], seen, 0);
  }
  shmem_ctx_quiet(on[0]);
  shmem_barrier_all();
  FOR_MY_PES(me)
  for (int64_t cell = me; cell < cells; cell += npes)
    shmem_ctx_int64_atomic_add(on[0], &total[1], PART(counts, me)[cell / npes] * (cell + 1), 0);
  shmem_ctx_quiet(on[0]);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("%s: %ld, %ld\n", name, (long)total[0], (long)total[1]);
  shmem_barrier_all();
}

int main(void) {
  const shmem_ctx_t ctx = start();
  shmem_ctx_t other;
  const int npes = shmem_n_pes();
  int64_t *counts = symmetric(cells), *rows = symmetric(cells), *total = symmetric(2);
  if (shmem_ctx_create(getenv("PLAIN_CONTEXT") ? 0 : SHMEMX_CTX_AGGREGATE, &other) != 0) return 2;
  const shmem_ctx_t on[] = {ctx, other};
  FOR_MY_PES(me)
  for (int64_t cell = me; cell < cells; cell += npes)
    PART(rows, me)[cell / npes] = (int64_t)(mixed((uint64_t)cell, 13) % 30000);
  shmem_barrier_all();
  run("ways out", leave_and_return, 0, on, counts, rows, total);
  run("rows", over_rows, 1, on, counts, rows, total);
  run("two contexts", on_two_contexts, 1, on, counts, rows, total);
  run("mixed block", mixed_block, 1, on, counts, rows, total);
  run("near values", near_values, 1, on, counts, rows, total);
  run("updates", with_updates, 0, on, counts, rows, total);
  shmem_ctx_destroy(other);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
