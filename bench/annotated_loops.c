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

/* n / pes, by the multiplication that arrays of the C++ interface look up their elements with. */
__attribute__((const)) static inline uint64_t over_pes(uint64_t n, uint64_t factor, uint64_t shift) {
  __extension__ typedef unsigned __int128 wide;
  return (uint64_t)((wide)(2 * n) * factor >> 64) >> shift;
}

/* How many are in the list, as far as they have come: they are counted first, then there. */
static uint64_t come(uint64_t* list, uint64_t known) {
  const uint64_t counted = shmem_uint64_atomic_fetch(&list[0], shmem_my_pe());
  while (known < counted && shmem_uint64_test(&list[1 + known], SHMEM_CMP_NE, 0)) ++known;
  return known;
}

/* Places the rows first to last of those that are ready, and takes their columns out. */
static void place(shmem_ctx_t ctx, const struct annotated_matrix* m, uint64_t first, uint64_t last) {
  const uint64_t pes = m->pes, factor = m->factor, shift = m->shift;
  uint64_t *left = m->left, *ready = m->ready;
  const uint64_t *settled = m->settled, *listed = m->listed;
#pragma shmem defer nowait
  for (uint64_t k = first; k <= last; ++k) {
    const uint64_t row = listed[k] - 1;
    const uint32_t column = (uint32_t)settled[row];
    const uint64_t at = over_pes(column, factor, shift);
    const int pe = (int)(column - at * pes);
    const uint64_t position = m->rows - 1 - shmem_ctx_uint64_atomic_fetch_inc(ctx, m->placed, 0);
    const uint64_t extent = shmem_ctx_uint64_g(ctx, &m->extents[at], pe);
    m->row_position[row] = position;
    shmem_ctx_uint64_p(ctx, &m->column_position[at], position, pe);
    const uint64_t begin = extent & 0xffffffff, end = begin + (extent >> 32);
    for (uint64_t i = begin; i < end; ++i) {
      const uint64_t other = shmem_ctx_uint64_g(ctx, &m->entries[i], pe);
      const uint32_t place = (uint32_t)over_pes(other, factor, shift);
      const int owner = (int)(other - place * pes);
      const uint64_t taken = ((uint64_t)1 << 32) + column;
      const uint64_t rest = shmem_ctx_uint64_atomic_fetch_add(ctx, &left[place], -taken, owner) - taken;
      if (rest >> 32 == 1) {
        const uint64_t before = shmem_ctx_uint64_atomic_fetch_inc(ctx, &ready[0], owner);
        shmem_ctx_uint64_p(ctx, &ready[1 + before], 1 + (uint64_t)place, owner);
      }
    }
  }
}

void annotated_sort(shmem_ctx_t ctx, const struct annotated_matrix* m) {
  const uint64_t own = (m->rows - m->pe + m->pes - 1) / m->pes;
  for (uint64_t done = 0; done < own;) {
    shmem_uint64_wait_until(&m->ready[0], SHMEM_CMP_GT, done); /* meanwhile what is deferred goes on */
    const uint64_t ready = come(m->ready, done);
    place(ctx, m, done + 1, ready);
    done = ready;
  }
  shmem_ctx_quiet(ctx);
}
