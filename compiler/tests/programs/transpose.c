/* SPDX-License-Identifier: BSD-3-Clause */
/* The second phase of a sparse matrix transpose, as in Listing 3 of Welch, Hernandez, Poole and Poole (2025):
   each nonzero asks the owner of its new row for a place, and is written there. Rows are distributed
   cyclically. */
#include "job.h"

enum { n = 300, most = 64 * n };

typedef struct {
  int64_t lnumrows, *loffset, *lnonzero, *nonzero;
  double *lvalue, *value;
} sparsemat;

static int is_entry(int64_t row, int64_t col) {
  return mixed((uint64_t)row, (uint64_t)col) % 8 == 0;
}
static double value_of(int64_t row, int64_t col) {
  return (double)(row * n + col);
}

static sparsemat rows_of(int me, int npes) {
  sparsemat A = {0,    malloc((n + 1) * sizeof(int64_t)), malloc(most * sizeof(int64_t)),
                 NULL, malloc(most * sizeof(double)),     NULL};
  int64_t entries = 0;
  for (int64_t row = me; row < n; row += npes, A.lnumrows++) {
    A.loffset[A.lnumrows] = entries;
    for (int64_t col = 0; col < n; col++)
      if (is_entry(row, col)) {
        A.lvalue[entries] = value_of(row, col);
        A.lnonzero[entries++] = col;
      }
  }
  A.loffset[A.lnumrows] = entries;
  return A;
}

/* Where the rows of the transposed matrix begin on PE `me`: phase one, done here without communication. */
static void fill_offsets(int64_t* offset, int me, int npes) {
  int64_t at = 0;
  for (int64_t col = me; col < n; col += npes) {
    offset[col / npes] = at * npes + me;
    for (int64_t row = 0; row < n; row++) at += is_entry(row, col);
  }
}

static void transpose(shmem_ctx_t ctx, sparsemat* A, sparsemat** At, int64_t* shtmp, int me, int npes) {
  for (int64_t row = 0; row < A->lnumrows; row++) {
#pragma shmem defer nowait
    for (int64_t j = A->loffset[row]; j < A->loffset[row + 1]; j++) {
      int64_t pos = shmem_ctx_int64_atomic_fetch_add(ctx, &shtmp[A->lnonzero[j] / npes], npes,
                                                     (int)(A->lnonzero[j] % npes));
      shmem_ctx_int64_p(ctx, &(*At)->nonzero[pos / npes], row * npes + me, (int)(pos % npes));
      if (A->value != NULL)
        shmem_ctx_double_p(ctx, &(*At)->value[pos / npes], A->lvalue[j], (int)(pos % npes));
    }
  }
}

/* Adds up what must be, and what is, in each row; `value` may be missing. */
static int64_t wrong_rows(const int64_t* nonzero, const double* value, int me, int npes) {
  int64_t wrong = 0, at = 0;
  for (int64_t col = me; col < n; col += npes) {
    int64_t sum = 0, values = 0;
    for (int64_t row = 0; row < n; row++)
      if (is_entry(row, col)) {
        sum += row * row - nonzero[at] * nonzero[at];
        if (value != NULL) {
          values += (int64_t)(value_of(row, col) - value[at]);
          wrong += value[at] != value_of(nonzero[at], col);
        }
        at++;
      }
    wrong += sum != 0 || values != 0;
  }
  return wrong;
}

/* How many rows of the transposed matrix are wrong, on PE 0. */
static int64_t transposed_wrongly(shmem_ctx_t ctx, sparsemat transposed) {
  const int npes = shmem_n_pes();
  sparsemat* At = &transposed;
  int64_t *offset = symmetric(n), *wrong = symmetric(1);
  FOR_MY_PES(me) fill_offsets(PART(offset, me), me, npes);
  shmem_barrier_all();
  FOR_MY_PES(me) {
    sparsemat A = rows_of(me, npes);
    A.value = transposed.value;
    transpose(ctx, &A, &At, offset, me, npes);
    shmem_ctx_quiet(ctx);
    free(A.loffset);
    free(A.lnonzero);
    free(A.lvalue);
  }
  shmem_barrier_all();
  FOR_MY_PES(me)
  shmem_ctx_int64_atomic_add(
      ctx, wrong,
      wrong_rows(PART(transposed.nonzero, me), transposed.value ? (double*)PART(transposed.value, me) : NULL,
                 me, npes),
      0);
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  return *wrong;
}

int main(void) {
  shmem_ctx_t ctx = start();
  sparsemat transposed = {0, NULL, NULL, symmetric(most), NULL, NULL};
  const int64_t pattern = transposed_wrongly(ctx, transposed);
  transposed.value = (double*)symmetric(most);
  const int64_t values = transposed_wrongly(ctx, transposed);
  if (shmem_my_pe() == 0)
    printf("wrong rows: %ld of the pattern, %ld with values\n", (long)pattern, (long)values);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
