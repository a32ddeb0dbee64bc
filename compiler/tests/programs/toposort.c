/* SPDX-License-Identifier: BSD-3-Clause */
/* Topological sort of a matrix that is an upper triangle with permuted rows and columns. In each round, each
   row with one entry left takes the next place from the end, with that entry's column, and the column is
   taken out of the other rows. Which column, where its entries are, which rows they are in, and how many
   entries those have left are four fetches that depend on one another: four levels. */
#include "job.h"

enum { n = 120, most = n * n };

/* The permutations. */
static int64_t row_of(int64_t i) {
  return (i * 77 + 5) % n;
}
static int64_t col_of(int64_t i) {
  return (i * 49 + 11) % n;
}
static int is_entry(int64_t i, int64_t j) {
  return i == j || (i < j && mixed((uint64_t)i, (uint64_t)j) % 6 == 0);
}

/* Of row r the number of entries and the sum of their columns; of column c the rows of its entries. */
static void fill(int64_t* left, int64_t* sum, int64_t* offset, int64_t* rows, int me, int npes) {
  int64_t entries = 0, at = 0;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++)
      if (is_entry(i, j) && row_of(i) % npes == me) {
        left[row_of(i) / npes]++;
        sum[row_of(i) / npes] += col_of(j);
      }
  for (int64_t c = me; c < n; c += npes) {
    offset[at++] = entries;
    for (int64_t j = 0; j < n; j++)
      if (col_of(j) == c)
        for (int64_t i = 0; i < n; i++)
          if (is_entry(i, j)) rows[entries++] = row_of(i);
  }
  offset[at] = entries;
}

typedef struct {
  int64_t *left, *sum, *offset, *rows, *placed, *row_place, *col_place;
} matrix;

/* One round: places the rows of `ready`, all of them rows of this PE. Returns how many rows have one entry
 * left now. */
static int64_t place(shmem_ctx_t ctx, const matrix* M, const int64_t* ready, int64_t n_ready, int npes) {
  int64_t i, row, col, pos, kk, first, last, other, entries, opened = 0;
#pragma shmem defer
  for (i = 0; i < n_ready; i++) {
    row = ready[i];
    col = shmem_ctx_int64_g(ctx, &M->sum[row / npes], (int)(row % npes));
    pos = shmem_ctx_int64_atomic_fetch_inc(ctx, M->placed, 0);
    shmem_ctx_int64_p(ctx, &M->row_place[row / npes], n - 1 - pos, (int)(row % npes));
    shmem_ctx_int64_p(ctx, &M->col_place[col / npes], n - 1 - pos, (int)(col % npes));
    first = shmem_ctx_int64_g(ctx, &M->offset[col / npes], (int)(col % npes));
    last = shmem_ctx_int64_g(ctx, &M->offset[col / npes + 1], (int)(col % npes));
    for (kk = first; kk < last; kk++) {
      other = shmem_ctx_int64_g(ctx, &M->rows[kk], (int)(col % npes));
      shmem_ctx_int64_atomic_add(ctx, &M->sum[other / npes], -col, (int)(other % npes));
      entries = shmem_ctx_int64_atomic_fetch_add(ctx, &M->left[other / npes], -1, (int)(other % npes));
      if (entries == 2) opened++;
    }
  }
  shmem_ctx_quiet(ctx);
  return opened;
}

static int64_t not_triangular(const int64_t* row_place, const int64_t* col_place, int npes) {
  int64_t wrong = 0, seen[n] = {0};
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < n; j++) {
      const int64_t r = row_of(i), c = col_of(j);
      if (is_entry(i, j))
        wrong += PART(row_place, (int)(r % npes))[r / npes] > PART(col_place, (int)(c % npes))[c / npes];
    }
    seen[PART(row_place, (int)(row_of(i) % npes))[row_of(i) / npes]]++;
  }
  for (int64_t i = 0; i < n; i++) wrong += seen[i] != 1;
  return wrong;
}

int main(void) {
  shmem_ctx_t ctx = start();
  const int npes = shmem_n_pes();
  const matrix M = {symmetric(n), symmetric(n), symmetric(n + 2), symmetric(most),
                    symmetric(1), symmetric(n), symmetric(n)};
  int64_t *opened = symmetric(1), rounds = 0, before = -1;
  FOR_MY_PES(me) fill(PART(M.left, me), PART(M.sum, me), PART(M.offset, me), PART(M.rows, me), me, npes);
  shmem_barrier_all();
  for (; before < n; rounds++) {
    int64_t ready[8][n], n_ready[8] = {0};
    FOR_MY_PES(me)
    for (int64_t r = me; r < n; r += npes)
      if (PART(M.left, me)[r / npes] == 1) {
        ready[me][n_ready[me]++] = r;
        PART(M.left, me)[r / npes] = -n; /* placed */
      }
    shmem_barrier_all();
    FOR_MY_PES(me) shmem_ctx_int64_atomic_add(ctx, opened, place(ctx, &M, ready[me], n_ready[me], npes), 0);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    before = shmem_ctx_int64_g(ctx, M.placed, 0);
    shmem_barrier_all();
  }
  if (shmem_my_pe() == 0)
    printf("wrong: %ld, rounds: %ld, opened: %ld\n", (long)not_triangular(M.row_place, M.col_place, npes),
           (long)rounds, (long)*opened);
  shmem_barrier_all();
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
