/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting the triangles of a graph, with the lower triangle of its adjacency matrix distributed cyclically
   by rows: for each edge to a vertex, the vertex's row is fetched entry by entry and met with the own row.
   The fetches of the row's entries depend on those of its ends: two levels. */
#include "job.h"

#include <assert.h>

enum { n = 150, most = n * n };

static int is_edge(int64_t u, int64_t v) {
  return mixed((uint64_t)u, (uint64_t)v) % 4 == 0;
}

static void fill_rows(int64_t* offset, int64_t* nonzero, int me, int npes) {
  int64_t entries = 0, row = 0;
  for (int64_t u = me; u < n; u += npes) {
    offset[row++] = entries;
    for (int64_t v = 0; v < u; v++)
      if (is_edge(u, v)) nonzero[entries++] = v;
  }
  offset[row] = entries;
}

typedef struct {
  int64_t lnumrows, *loffset, *lnonzero, *offset, *nonzero;
} lower;

static int64_t count(shmem_ctx_t ctx, const lower* L, int npes, int64_t* pulled) {
  int64_t cnt = 0, numpulled = 0;
  int64_t l_i, k, kk, l, L_k, L_j, row_begin, row_end, start, w;
#pragma shmem defer
  for (l_i = 0; l_i < L->lnumrows; l_i++) {
    for (k = L->loffset[l_i]; k < L->loffset[l_i + 1]; k++) {
      L_k = L->lnonzero[k];
      L_j = L_k / npes;
      assert(L_k < n);
      row_begin = shmem_ctx_int64_g(ctx, &L->offset[L_j], (int)(L_k % npes));
      row_end = shmem_ctx_int64_g(ctx, &L->offset[L_j + 1], (int)(L_k % npes));
      numpulled += row_end - row_begin;
      start = L->loffset[l_i];
      for (kk = row_begin; kk < row_end; kk++) {
        w = shmem_ctx_int64_g(ctx, &L->nonzero[kk], (int)(L_k % npes));
        assert(w < L_k);
        for (l = start; l < L->loffset[l_i + 1]; l++) {
          if (w == L->lnonzero[l]) {
            cnt++;
            start = l + 1;
            break;
          }
          if (w < L->lnonzero[l]) {
            start = l;
            break;
          }
        }
      }
    }
  }
  shmem_ctx_quiet(ctx);
  *pulled = numpulled;
  return cnt;
}

static int64_t expected(void) {
  int64_t result = 0;
  for (int64_t u = 0; u < n; u++)
    for (int64_t v = 0; v < u; v++)
      if (is_edge(u, v))
        for (int64_t w = 0; w < v; w++) result += is_edge(u, w) && is_edge(v, w);
  return result;
}

int main(void) {
  shmem_ctx_t ctx = start();
  const int npes = shmem_n_pes();
  int64_t *offset = symmetric(n + 2), *nonzero = symmetric(most), *total = symmetric(2);
  FOR_MY_PES(me) fill_rows(PART(offset, me), PART(nonzero, me), me, npes);
  shmem_barrier_all();
  FOR_MY_PES(me) {
    const lower L = {(n - me + npes - 1) / npes, PART(offset, me), PART(nonzero, me), offset, nonzero};
    int64_t pulled;
    const int64_t found = count(ctx, &L, npes, &pulled);
    shmem_ctx_int64_atomic_add(ctx, &total[0], found, 0);
    shmem_ctx_int64_atomic_add(ctx, &total[1], pulled, 0);
  }
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  if (shmem_my_pe() == 0)
    printf("triangles: %ld of %ld, pulled %ld\n", (long)total[0], (long)expected(), (long)total[1]);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
