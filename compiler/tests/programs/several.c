/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks with several fetches: of one kind to one PE or to two, of several kinds and widths, and nested ones,
   with and without variables of the level above. So many that messages fill. */
#include "job.h"

enum { cells = 512, blocks = 30000 };

static int64_t cell_of(int64_t block, uint64_t which) {
  return (int64_t)(mixed((uint64_t)block, which) % cells);
}
static int64_t value_of(int64_t cell) {
  return (int64_t)(mixed((uint64_t)cell, 99) % 100000);
}

/* Counts two cells and looks at two. Returns the sum of what was there. */
static int64_t in_one_block(shmem_ctx_t ctx, int64_t* counts, const int64_t* values, int me, int npes) {
  int64_t sum = 0;
#pragma shmem defer strict
  for (int64_t block = me; block < blocks; block += npes) {
    const int64_t a = cell_of(block, 1), b = cell_of(block, 2);
    const int64_t one = shmem_ctx_int64_atomic_fetch_inc(ctx, &counts[a / npes], (int)(a % npes));
    const int64_t other = shmem_ctx_int64_atomic_fetch_inc(ctx, &counts[b / npes], (int)(b % npes));
    const int64_t value = shmem_ctx_int64_g(ctx, &values[a / npes], (int)(a % npes));
    const int32_t narrow = shmem_ctx_int32_g(ctx, (const int32_t*)&values[b / npes], (int)(b % npes));
    sum += one + other + value * (block % 7) + narrow;
  }
  shmem_ctx_quiet(ctx);
  return sum;
}

/* `place` belongs to the level between: the innermost code moves it on. */
static int64_t nested(shmem_ctx_t ctx, int64_t* counts, const int64_t* values, int me, int npes) {
  int64_t sum = 0;
#pragma shmem defer strict
  for (int64_t block = me; block < blocks / 8; block += npes) {
    const int64_t a = cell_of(block, 3), b = cell_of(block, 4);
    const int64_t one = shmem_ctx_int64_g(ctx, &values[a / npes], (int)(a % npes));
    const int64_t other = shmem_ctx_int64_g(ctx, &values[b / npes], (int)(b % npes));
    int64_t place = one % 5;
    for (int64_t i = 0; i < other % 4; ++i) {
      const int64_t next = (one + i) % cells;
      const int64_t value = shmem_ctx_int64_g(ctx, &values[next / npes], (int)(next % npes));
      const int64_t before =
          shmem_ctx_int64_atomic_fetch_add(ctx, &counts[next / npes], 1, (int)(next % npes));
      sum += before + value * place;
      place += value % 3;
    }
  }
  shmem_ctx_quiet(ctx);
  return sum;
}

/* Levels that use nothing of the one above but values. */
static int64_t chained(shmem_ctx_t ctx, int64_t* counts, const int64_t* values, int me, int npes) {
  int64_t sum = 0;
#pragma shmem defer strict
  for (int64_t block = me; block < blocks / 8; block += npes) {
    const int64_t a = cell_of(block, 5), b = cell_of(block, 6);
    const int64_t one = shmem_ctx_int64_g(ctx, &values[a / npes], (int)(a % npes));
    const int64_t other = shmem_ctx_int64_g(ctx, &values[b / npes], (int)(b % npes));
    for (int64_t i = 0; i < 3; ++i) {
      const int64_t next = (one + other * i) % cells;
      const int64_t value = shmem_ctx_int64_g(ctx, &values[next / npes], (int)(next % npes));
      const int64_t last = value % cells;
      const int64_t before =
          shmem_ctx_int64_atomic_fetch_add(ctx, &counts[last / npes], block % 2 + 1, (int)(last % npes));
      sum += value * other + (before < 0);
    }
  }
  shmem_ctx_quiet(ctx);
  return sum;
}

typedef int64_t (*part)(shmem_ctx_t, int64_t*, const int64_t*, int, int);

/* The sum over all PEs, and over all counts, each with its cell. */
static void run(const char* name, part work, shmem_ctx_t ctx, int64_t* counts, const int64_t* values,
                int64_t* total) {
  const int npes = shmem_n_pes();
  FOR_MY_PES(me) shmem_ctx_int64_atomic_add(ctx, &total[0], work(ctx, counts, values, me, npes), 0);
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  FOR_MY_PES(me)
  for (int64_t cell = me; cell < cells; cell += npes)
    shmem_ctx_int64_atomic_add(ctx, &total[1], PART(counts, me)[cell / npes] * cell, 0);
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("%s: %ld, %ld\n", name, (long)total[0], (long)total[1]);
  shmem_barrier_all();
}

int main(void) {
  shmem_ctx_t ctx = start();
  const int npes = shmem_n_pes();
  int64_t *counts = symmetric(cells), *values = symmetric(cells), *total = symmetric(2);
  FOR_MY_PES(me)
  for (int64_t cell = me; cell < cells; cell += npes) PART(values, me)[cell / npes] = value_of(cell);
  shmem_barrier_all();
  run("in one block", in_one_block, ctx, counts, values, total);
  run("nested", nested, ctx, counts, values, total);
  run("chained", chained, ctx, counts, values, total);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
