/* SPDX-License-Identifier: BSD-3-Clause */
/* Each vertex counts down, by an edge at a time, how often it is met; who is done joins the list of the PE
   that it is on. The entries of a row lie one behind the other: they are fetched together. Counting down and
   joining are one step at the owner. */
#include "job.h"

enum { n = 700, most = n * n / 2 };

static int is_edge(int64_t u, int64_t v) {
  return u == 3 || mixed((uint64_t)u, (uint64_t)v) % 9 == 0; /* a long row, and short ones */
}

typedef struct {
  int64_t *offset, *entries, *left, *list;
} graph;

static void fill(const graph* G, int me, int npes) {
  int64_t *offset = PART(G->offset, me), *entries = PART(G->entries, me), *left = PART(G->left, me), used = 0;
  for (int64_t u = me; u < n; u += npes) {
    offset[u / npes] = used;
    for (int64_t v = 0; v < n; v++)
      if (is_edge(u, v)) entries[used++] = v;
    offset[u / npes + 1] = used;
    for (int64_t v = 0; v < n; v++) left[u / npes] += is_edge(v, u);
  }
}

/* Meets the rows that are on the next PE. */
static void meet(shmem_ctx_t ctx, const graph* G, int me, int npes) {
  const int pe = (me + 1) % npes;
  int64_t *left = G->left, *list = G->list;
#pragma shmem defer
  for (int64_t u = pe; u < n; u += npes) {
    const int64_t first = shmem_ctx_int64_g(ctx, &G->offset[u / npes], pe);
    const int64_t last = shmem_ctx_int64_g(ctx, &G->offset[u / npes + 1], pe);
    for (int64_t i = first; i < last; i++) {
      const int64_t v = shmem_ctx_int64_g(ctx, &G->entries[i], pe);
      const int owner = (int)(v % npes);
      const int64_t before = shmem_ctx_int64_atomic_fetch_add(ctx, &left[v / npes], -1, owner);
      if (before == 1) {
        const int64_t place = shmem_ctx_int64_atomic_fetch_inc(ctx, &list[0], owner);
        shmem_ctx_int64_p(ctx, &list[1 + place], v, owner);
      }
    }
  }
  shmem_ctx_quiet(ctx);
}

int main(void) {
  shmem_ctx_t ctx = start();
  const int npes = shmem_n_pes();
  const graph G = {symmetric(n + 1), symmetric(most), symmetric(n), symmetric(n + 1)};
  FOR_MY_PES(me) fill(&G, me, npes);
  shmem_barrier_all();
  FOR_MY_PES(me) meet(ctx, &G, me, npes);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    int64_t listed = 0, sum = 0, rest = 0;
    for (int pe = 0; pe < npes; pe++) {
      const int64_t *list = PART(G.list, pe), *left = PART(G.left, pe);
      listed += list[0];
      for (int64_t k = 1; k <= list[0]; k++) sum += (list[k] + 1) * (list[k] % npes == pe);
      for (int64_t k = 0; k < (n - pe + npes - 1) / npes; k++) rest += left[k];
    }
    printf("listed: %ld, sum: %ld, left: %ld\n", (long)listed, (long)sum, (long)rest);
  }
  shmem_barrier_all();
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
