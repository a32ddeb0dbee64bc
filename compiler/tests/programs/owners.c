/* SPDX-License-Identifier: BSD-3-Clause */
/* Code that runs at owners: what it takes from the operation itself, what loops do not change and travels
   apart, and how that changes from loop to loop without a quiet between; contexts that come and go; and
   behind ranges, which are empty, short, or too long for one piece. */
#include "job.h"

enum { cells = 256, blocks = 20000, rounds = 300, rows = 600, longest_row = 700 };

static int64_t cell_of(int64_t block, uint64_t which) {
  return (int64_t)(mixed((uint64_t)block, which) % cells);
}
static int64_t amount_of(int64_t block) {
  return 1 + (int64_t)(mixed((uint64_t)block, 7) % 9);
}

/* One word travels apart: where the log is. */
static void append(shmem_ctx_t ctx, int64_t* next, int64_t* log, int64_t first, int64_t n, int npes) {
#pragma shmem defer strict
  for (int64_t k = first; k < first + n; ++k) {
    const int64_t cell = cell_of(k, 1);
    const int64_t at = shmem_ctx_int64_atomic_fetch_inc(ctx, &next[cell / npes], (int)(cell % npes));
    shmem_ctx_int64_p(ctx, &log[at], k + 1, (int)(cell % npes));
  }
}

/* Now to the one, now to the other log, a few entries or many each time. */
static void in_turns(shmem_ctx_t ctx, int64_t* next, int64_t** logs, int me, int npes) {
  int64_t first = (int64_t)me * blocks;
  for (int round = 0; round < rounds; ++round) {
    const int64_t n = 1 + (int64_t)(mixed((uint64_t)round, 2) % (round % 16 == 0 ? 200 : 4));
    append(ctx, next, logs[mixed((uint64_t)round, 3) % 2], first, n, npes);
    first += n;
  }
  shmem_ctx_quiet(ctx);
}

/* The operand is used again as it is, and its negative. */
static void take(shmem_ctx_t ctx, int64_t* left, int64_t* taken, int64_t* done, int me, int npes) {
#pragma shmem defer strict
  for (int64_t k = me; k < blocks; k += npes) {
    const int64_t cell = cell_of(k, 4), amount = amount_of(k), place = cell / npes;
    const int pe = (int)(cell % npes);
    const int64_t before = shmem_ctx_int64_atomic_fetch_add(ctx, &left[place], -amount, pe);
    const int64_t rest = before - amount;
    shmem_ctx_int64_atomic_add(ctx, &taken[place], before - rest, pe);
    if (rest == 0) shmem_ctx_int64_atomic_add(ctx, &done[place], 1, pe);
  }
  shmem_ctx_quiet(ctx);
}

/* Two operands, of which both are used again. */
static void claim(shmem_ctx_t ctx, int64_t* claims, int64_t* won, int64_t* tried, const int64_t* nobody,
                  int me, int npes) {
#pragma shmem defer strict
  for (int64_t k = me; k < blocks / 4; k += npes) {
    const int64_t cell = cell_of(k, 5), place = cell / npes, mine = k + 1, before = nobody[k % 2];
    const int pe = (int)(cell % npes);
    const int64_t found = shmem_ctx_int64_atomic_compare_swap(ctx, &claims[place], before, mine, pe);
    if (found == before) shmem_ctx_int64_atomic_add(ctx, &won[place], 1, pe);
    shmem_ctx_int64_atomic_add(ctx, &tried[place], found + mine - found, pe);
  }
  shmem_ctx_quiet(ctx);
}

/* Each round has a context of its own, which aggregates or not. */
static void with_contexts(int64_t* next, int64_t* log, int me, int npes) {
  for (int round = 0; round < 6; ++round) {
    shmem_ctx_t ctx;
    if (shmem_ctx_create(round % 3 == 1 ? 0 : SHMEMX_CTX_AGGREGATE, &ctx) != 0) exit(2);
#pragma shmem defer strict
    for (int64_t k = me * 1000 + round * 100; k < me * 1000 + round * 100 + 100; ++k) {
      const int64_t cell = cell_of(k, 6);
      const int64_t at = shmem_ctx_int64_atomic_fetch_inc(ctx, &next[cell / npes], (int)(cell % npes));
      shmem_ctx_int64_p(ctx, &log[at], k + 1, (int)(cell % npes));
    }
    shmem_ctx_quiet(ctx);
    shmem_ctx_destroy(ctx);
  }
}

static int64_t length_of(int64_t row) {
  return row % 5 == 0 ? 0 : (int64_t)(mixed((uint64_t)row, 8) % (row % 50 == 1 ? longest_row : 12));
}

/* Takes each row's entries out of where they belong. A row has a place of `longest_row` entries. */
static void behind_ranges(shmem_ctx_t ctx, const int64_t* lengths, const int64_t* entries, int64_t* left,
                          int64_t* done, int me, int npes) {
#pragma shmem defer strict
  for (int64_t row = (me + 1) % npes; row < rows; row += npes) {
    const int pe = (int)(row % npes);
    const int64_t length = shmem_ctx_int64_g(ctx, &lengths[row / npes], pe);
    const int64_t begin = row / npes * longest_row, weight = 1 + row % 3;
    for (int64_t i = begin; i < begin + length; ++i) {
      const int64_t cell = shmem_ctx_int64_g(ctx, &entries[i], pe);
      const int64_t rest =
          shmem_ctx_int64_atomic_fetch_add(ctx, &left[cell / npes], -weight, (int)(cell % npes)) - weight;
      if (rest == 0) shmem_ctx_int64_atomic_add(ctx, &done[0], cell, (int)(cell % npes));
    }
  }
  shmem_ctx_quiet(ctx);
}

/* Adds up what all PEs have, each entry with its weight. */
static void print_sum(const char* name, shmem_ctx_t ctx, int64_t* object, int64_t entries, int64_t* total) {
  shmem_barrier_all();
  if (shmem_my_pe() == 0) *total = 0;
  shmem_barrier_all();
  FOR_MY_PES(me) {
    int64_t sum = 0;
    for (int64_t i = 0; i < entries; ++i) sum += PART(object, me)[i];
    shmem_ctx_int64_atomic_add(ctx, total, sum, 0);
  }
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("%s: %ld\n", name, (long)*total);
}

/* Cells begin with what will be taken out of them. */
static void fill(int64_t* left, int me, int npes) {
  for (int64_t k = 0; k < blocks; ++k) {
    const int64_t cell = cell_of(k, 4);
    if (cell % npes == me) PART(left, me)[cell / npes] += amount_of(k);
  }
}
static void fill_rows(int64_t* lengths, int64_t* entries, int64_t* left, int me, int npes) {
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < length_of(row); ++i) {
      const int64_t cell = cell_of(row * longest_row + i, 9);
      if (cell % npes == me) PART(left, me)[cell / npes] += 1 + row % 3;
      if (row % npes == me) PART(entries, me)[row / npes * longest_row + i] = cell;
    }
  for (int64_t row = me; row < rows; row += npes) PART(lengths, me)[row / npes] = length_of(row);
}

/* Where entries of a cell go, in logs with room for all. */
static void begin_logs(int64_t* next, int64_t room, int me) {
  for (int64_t cell = 0; cell < cells; ++cell) PART(next, me)[cell] = cell * room;
}

int main(void) {
  shmem_ctx_t ctx = start();
  const int npes = shmem_n_pes();
  enum { room = 2000 };
  int64_t *next = symmetric(cells), *total = symmetric(1), *nobody = symmetric(2);
  int64_t* logs[2] = {symmetric(cells * room), symmetric(cells * room)};
  int64_t *left = symmetric(cells), *taken = symmetric(cells), *done = symmetric(cells);
  int64_t *claims = symmetric(cells), *won = symmetric(cells), *tried = symmetric(cells);
  int64_t *lengths = symmetric(rows), *entries = symmetric((int64_t)rows * longest_row);
  FOR_MY_PES(me) begin_logs(next, room, me);
  FOR_MY_PES(me) fill(left, me, npes);
  shmem_barrier_all();
  FOR_MY_PES(me) if (me < 1) in_turns(ctx, next, logs, me, npes);
  print_sum("one log", ctx, logs[0], cells * room, total);
  print_sum("the other", ctx, logs[1], cells * room, total);
  FOR_MY_PES(me) if (me < 1) with_contexts(next, logs[0], me, npes);
  print_sum("with contexts", ctx, logs[0], cells * room, total);
  FOR_MY_PES(me) take(ctx, left, taken, done, me, npes);
  print_sum("left", ctx, left, cells, total);
  print_sum("taken", ctx, taken, cells, total);
  print_sum("done", ctx, done, cells, total);
  FOR_MY_PES(me) claim(ctx, claims, won, tried, nobody, me, npes);
  print_sum("won", ctx, won, cells, total);
  print_sum("tried", ctx, tried, cells, total);
  FOR_MY_PES(me) fill_rows(lengths, entries, left, me, npes);
  shmem_barrier_all();
  FOR_MY_PES(me) behind_ranges(ctx, lengths, entries, left, done, me, npes);
  print_sum("left of rows", ctx, left, cells, total);
  print_sum("done with rows", ctx, done, cells, total);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
