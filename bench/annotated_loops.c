/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/annotated_loops.h"

void annotated_transpose(shmem_ctx_t ctx, const struct annotated_target* targets, size_t n, uint64_t* next,
                         uint64_t* rows, uint64_t first_row) {
#pragma shmem defer no_fusion
  for (size_t k = 0; k < n; ++k) {
    const uint64_t place = shmem_ctx_uint64_atomic_fetch_inc(ctx, &next[targets[k].place], targets[k].pe);
    shmem_ctx_uint64_p(ctx, &rows[place], first_row + k, targets[k].pe);
  }
  shmem_ctx_quiet(ctx);
}

void annotated_transpose_at_owner(shmem_ctx_t ctx, const struct annotated_target* targets, size_t n,
                                  uint64_t* next, uint64_t* rows, uint64_t first_row) {
#pragma shmem defer
  for (size_t k = 0; k < n; ++k) {
    const uint64_t place = shmem_ctx_uint64_atomic_fetch_inc(ctx, &next[targets[k].place], targets[k].pe);
    shmem_ctx_uint64_p(ctx, &rows[place], first_row + k, targets[k].pe);
  }
  shmem_ctx_quiet(ctx);
}

uint64_t annotated_histogram(shmem_ctx_t ctx, const struct annotated_target* targets, size_t n,
                             uint64_t* table) {
  uint64_t seen = 0;
#pragma shmem defer
  for (size_t k = 0; k < n; ++k)
    seen += shmem_ctx_uint64_atomic_fetch_inc(ctx, &table[targets[k].place], targets[k].pe);
  shmem_ctx_quiet(ctx);
  return seen;
}

uint64_t annotated_gather(shmem_ctx_t ctx, const struct annotated_target* targets, size_t n,
                          const uint64_t* table) {
  uint64_t seen = 0;
#pragma shmem defer
  for (size_t k = 0; k < n; ++k) seen += shmem_ctx_uint64_g(ctx, &table[targets[k].place], targets[k].pe);
  shmem_ctx_quiet(ctx);
  return seen;
}

uint64_t annotated_triangles(shmem_ctx_t ctx, const struct annotated_edge* edges, size_t n,
                             const uint64_t* extents, const uint64_t* entries) {
  uint64_t found = 0;
#pragma shmem defer
  for (size_t k = 0; k < n; ++k) {
    const uint64_t extent = shmem_ctx_uint64_g(ctx, &extents[edges[k].row], edges[k].pe);
    const uint64_t begin = extent & 0xffffffff, end = begin + (extent >> 32);
    for (uint64_t i = begin; i < end; ++i) {
      const uint64_t w = shmem_ctx_uint64_g(ctx, &entries[i], edges[k].pe);
      const uint64_t* after = edges[k].after_v;
      uint64_t first = 0;
      for (uint64_t rest = edges[k].size; rest > 0; rest /= 2) { /* the first that is not below w */
        const uint64_t middle = first + rest / 2;
        if (after[middle] < w) {
          first = middle + 1;
          --rest;
        }
      }
      found += first < edges[k].size && after[first] == w;
    }
  }
  shmem_ctx_quiet(ctx);
  return found;
}

void annotated_sort(shmem_ctx_t ctx, const struct annotated_matrix* m, struct annotated_entry* ready,
                    size_t n) {
  const uint64_t pes = m->pes;
  size_t begin = 0, end = n;
  while (begin < end) {
    size_t opened = end;
#pragma shmem defer
    for (size_t k = begin; k < end; ++k) {
      const uint64_t row = ready[k].row, column = ready[k].column;
      const uint64_t position = m->rows - 1 - shmem_ctx_uint64_atomic_fetch_inc(ctx, m->placed, 0);
      shmem_ctx_uint64_p(ctx, &m->row_position[row / pes], position, (int)(row % pes));
      shmem_ctx_uint64_p(ctx, &m->column_position[column / pes], position, (int)(column % pes));
      const uint64_t extent = shmem_ctx_uint64_g(ctx, &m->extents[column / pes], (int)(column % pes));
      const uint64_t first = extent & 0xffffffff, last = first + (extent >> 32);
      for (uint64_t i = first; i < last; ++i) {
        const uint64_t other = shmem_ctx_uint64_g(ctx, &m->entries[i], (int)(column % pes));
        const uint64_t entry = ((uint64_t)1 << 32) + column;
        const uint64_t before =
            shmem_ctx_uint64_atomic_fetch_add(ctx, &m->left[other / pes], -entry, (int)(other % pes));
        if ((before - entry) >> 32 == 1) {
          ready[opened].row = other;
          ready[opened].column = (before - entry) & 0xffffffff;
          ++opened;
        }
      }
    }
    shmem_ctx_quiet(ctx);
    begin = end;
    end = opened;
  }
}
