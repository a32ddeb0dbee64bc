/* SPDX-License-Identifier: BSD-3-Clause */
/* Operands of code that runs at owners, of which less travels than they are: constants, widened and shifted
   numbers, one or several, that the code there uses too or not. */
#include "job.h"

enum { cells = 128, operations = 6000 };

/* Which cell it is about, among all PEs' cells. */
static int64_t cell_of(int64_t k, uint64_t which) {
  return (int64_t)(mixed((uint64_t)k, which) % cells);
}

/* A count in the upper half and a sum in the lower one: a byte travels. */
static void count_down(shmem_ctx_t ctx, int64_t* left, int64_t* ends, int me, int npes) {
#pragma shmem defer strict
  for (int64_t k = me; k < operations; k += npes) {
    const int64_t cell = cell_of(k, 1), at = cell / npes;
    const int pe = (int)(cell % npes);
    const uint8_t amount = (uint8_t)mixed((uint64_t)k, 2);
    const int64_t taken = ((int64_t)1 << 32) + amount;
    const int64_t rest = shmem_ctx_int64_atomic_fetch_add(ctx, &left[at], -taken, pe) - taken;
    if (rest == 0) shmem_ctx_int64_atomic_inc(ctx, &ends[at], pe);
    if (amount == 255) shmem_ctx_int64_atomic_add(ctx, &ends[at], 1000, pe);
  }
  shmem_ctx_quiet(ctx);
}

/* With a sign. */
static void add_signed(shmem_ctx_t ctx, int64_t* sums, int64_t* odd, int me, int npes) {
#pragma shmem defer strict
  for (int64_t k = me; k < operations; k += npes) {
    const int64_t cell = cell_of(k, 3), at = cell / npes;
    const int pe = (int)(cell % npes);
    const int16_t change = (int16_t)(2 * (mixed((uint64_t)k, 4) % 30000) - 30000);
    const int64_t before = shmem_ctx_int64_atomic_fetch_add(ctx, &sums[at], 3 * (int64_t)change + 1, pe);
    shmem_ctx_int64_atomic_add(ctx, &odd[at], before & 1, pe);
  }
  shmem_ctx_quiet(ctx);
}

/* Of two, one is a constant, and the other is narrow. */
static void claim(shmem_ctx_t ctx, int64_t* claims, int64_t* won, int me, int npes) {
#pragma shmem defer strict
  for (int64_t k = me; k < operations; k += npes) {
    const int64_t cell = cell_of(k, 5), at = cell / npes;
    const int pe = (int)(cell % npes);
    const int32_t mine = (int32_t)(k + 1);
    const int64_t found = shmem_ctx_int64_atomic_compare_swap(ctx, &claims[at], 0, mine, pe);
    if (found == 0) shmem_ctx_int64_atomic_inc(ctx, &won[at], pe);
  }
  shmem_ctx_quiet(ctx);
}

/* Nothing but the place travels: as a number, and as a floating-point one. */
static void take_all(shmem_ctx_t ctx, int64_t* full, double* weights, int64_t* taken, int me, int npes) {
#pragma shmem defer strict
  for (int64_t k = me; k < operations; k += npes) {
    const int64_t cell = cell_of(k, 6), at = cell / npes;
    const int pe = (int)(cell % npes);
    const int64_t before = shmem_ctx_int64_atomic_swap(ctx, &full[at], -1, pe);
    if (before >= 0) shmem_ctx_int64_atomic_add(ctx, &taken[at], before, pe);
  }
#pragma shmem defer strict
  for (int64_t k = me; k < operations; k += npes) {
    const int64_t cell = cell_of(k, 7), at = cell / npes;
    const int pe = (int)(cell % npes);
    const double before = shmem_ctx_double_atomic_swap(ctx, &weights[at], -0.5, pe);
    if (before >= 0) shmem_ctx_int64_atomic_add(ctx, &taken[at], (int64_t)(4 * before), pe);
  }
  shmem_ctx_quiet(ctx);
}

/* Bits of 32, by their numbers. */
static void mark(shmem_ctx_t ctx, uint32_t* bits, int64_t* marked, int me, int npes) {
#pragma shmem defer strict
  for (int64_t k = me; k < operations; k += npes) {
    const int64_t cell = cell_of(k, 8), at = cell / npes;
    const int pe = (int)(cell % npes);
    const uint8_t bit = (uint8_t)(mixed((uint64_t)k, 9) % 32);
    const uint32_t before = shmem_ctx_uint32_atomic_fetch_or(ctx, &bits[at], (uint32_t)1 << bit, pe);
    if ((before >> bit & 1) == 0) shmem_ctx_int64_atomic_add(ctx, &marked[at], bit + 1, pe);
  }
  shmem_ctx_quiet(ctx);
}

/* One that the loop does not change, and one that is as large as it is: these travel as they are. */
static void as_they_are(shmem_ctx_t ctx, int64_t* sums, int64_t* odd, int64_t step, int me, int npes) {
#pragma shmem defer strict
  for (int64_t k = me; k < operations; k += npes) {
    const int64_t cell = cell_of(k, 10), at = cell / npes;
    const int pe = (int)(cell % npes);
    const int64_t before = shmem_ctx_int64_atomic_fetch_add(ctx, &sums[at], step + 2, pe);
    shmem_ctx_int64_atomic_add(ctx, &odd[at], before & 1, pe);
  }
#pragma shmem defer strict
  for (int64_t k = me; k < operations; k += npes) {
    const int64_t cell = cell_of(k, 11), at = cell / npes;
    const int pe = (int)(cell % npes);
    const int64_t far = (int64_t)(mixed((uint64_t)k, 12) >> 1) * 2;
    const int64_t before = shmem_ctx_int64_atomic_fetch_add(ctx, &sums[at], far, pe);
    shmem_ctx_int64_atomic_add(ctx, &odd[at], before & 1, pe);
  }
  shmem_ctx_quiet(ctx);
}

static void fill(int64_t* left, int64_t* full, double* weights, int me, int npes) {
  for (int64_t k = 0; k < operations; ++k) {
    const int64_t p = cell_of(k, 1), q = cell_of(k, 6), r = cell_of(k, 7);
    if (p % npes == me) PART(left, me)[p / npes] += ((int64_t)1 << 32) + (uint8_t)mixed((uint64_t)k, 2);
    if (q % npes == me) PART(full, me)[q / npes] = q;
    if (r % npes == me) ((double*)shmem_ptr(weights, me))[r / npes] = 0.25 * (double)r;
  }
}

static void print_sum(const char* name, shmem_ctx_t ctx, int64_t* object, int64_t* total) {
  shmem_barrier_all();
  if (shmem_my_pe() == 0) *total = 0;
  shmem_barrier_all();
  FOR_MY_PES(me) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < cells; ++i) sum += (uint64_t)PART(object, me)[i];
    shmem_ctx_int64_atomic_add(ctx, total, (int64_t)sum, 0);
  }
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("%s: %ld\n", name, (long)*total);
}

int main(void) {
  shmem_ctx_t ctx = start();
  const int npes = shmem_n_pes();
  int64_t *left = symmetric(cells), *ends = symmetric(cells), *sums = symmetric(cells),
          *odd = symmetric(cells);
  int64_t *claims = symmetric(cells), *won = symmetric(cells), *full = symmetric(cells),
          *total = symmetric(1);
  int64_t *taken = symmetric(cells), *marked = symmetric(cells);
  double* weights = shmem_calloc(cells, sizeof *weights);
  uint32_t* bits = shmem_calloc(cells, sizeof *bits);
  FOR_MY_PES(me) fill(left, full, weights, me, npes);
  shmem_barrier_all();
  FOR_MY_PES(me) count_down(ctx, left, ends, me, npes);
  print_sum("left", ctx, left, total);
  print_sum("ends", ctx, ends, total);
  FOR_MY_PES(me) add_signed(ctx, sums, odd, me, npes);
  print_sum("sums", ctx, sums, total);
  FOR_MY_PES(me) claim(ctx, claims, won, me, npes);
  print_sum("won", ctx, won, total);
  FOR_MY_PES(me) take_all(ctx, full, weights, taken, me, npes);
  print_sum("taken", ctx, taken, total);
  FOR_MY_PES(me) mark(ctx, bits, marked, me, npes);
  print_sum("marked", ctx, marked, total);
  FOR_MY_PES(me) as_they_are(ctx, sums, odd, 2 * (int64_t)getenv("PATH")[0], me, npes);
  print_sum("more sums", ctx, sums, total);
  print_sum("odd", ctx, odd, total);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
