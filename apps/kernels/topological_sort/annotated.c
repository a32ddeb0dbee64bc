/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/kernels/annotated.h"

/* Gives the ready rows, and the columns of their last entries, the next positions from the end. */
static void place(shmem_ctx_t ctx, const struct sortable_matrix* m, const struct annotated_last_entry* ready,
                  size_t n) {
  const uint64_t npes = m->npes, last = m->rows - 1;
  uint64_t *row_position = m->row_position, *column_position = m->column_position;
#pragma shmem defer
  for (size_t i = 0; i < n; i++) {
    const uint64_t row = ready[i].row, column = ready[i].column;
    const uint64_t position = last - shmem_ctx_uint64_atomic_fetch_inc(ctx, m->placed, 0);
    shmem_ctx_uint64_p(ctx, &row_position[row / npes], position, (int)(row % npes));
    shmem_ctx_uint64_p(ctx, &column_position[column / npes], position, (int)(column % npes));
  }
  shmem_ctx_quiet(ctx);
}

/* Takes their columns out of all rows, and lists the rows that have one entry left then: whoever takes out
   the last but one goes on with the row. */
static size_t take_out(shmem_ctx_t ctx, const struct sortable_matrix* m,
                       const struct annotated_last_entry* ready, size_t n,
                       struct annotated_last_entry* next) {
  const uint64_t npes = m->npes, *extents = m->extents, *entries = m->entries;
  uint64_t* left = m->left;
  size_t opened = 0;
#pragma shmem defer
  for (size_t i = 0; i < n; i++) {
    const uint64_t column = ready[i].column, taken = ((uint64_t)1 << 32) + column;
    const int pe = (int)(column % npes);
    const uint64_t extent = shmem_ctx_uint64_g(ctx, &extents[column / npes], pe);
    const uint64_t begin = extent & UINT32_MAX, end = begin + (extent >> 32);
    for (uint64_t e = begin; e < end; e++) {
      const uint64_t row = shmem_ctx_uint64_g(ctx, &entries[e], pe);
      const uint64_t rest =
          shmem_ctx_uint64_atomic_fetch_add(ctx, &left[row / npes], -taken, (int)(row % npes)) - taken;
      if (rest >> 32 == 1) {
        next[opened].row = row;
        next[opened++].column = rest & UINT32_MAX;
      }
    }
  }
  shmem_ctx_quiet(ctx);
  return opened;
}

void sort_loop(shmem_ctx_t ctx, const struct sortable_matrix* m, struct annotated_last_entry* ready,
               struct annotated_last_entry* next, size_t n) {
  while (n > 0) {
    place(ctx, m, ready, n);
    n = take_out(ctx, m, ready, n, next);
    struct annotated_last_entry* const done = ready;
    ready = next;
    next = done;
  }
}
