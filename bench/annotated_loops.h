/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of `windrow bench defer` in plain C with `#pragma shmem defer`, compiled with the plug-in. */
#ifndef WINDROW_BENCH_ANNOTATED_LOOPS_H
#define WINDROW_BENCH_ANNOTATED_LOOPS_H

#include <shmem.h>

#ifdef __cplusplus
extern "C" {
#endif

struct annotated_target {
  int pe;
  uint32_t place; /* on that PE */
};

/* Puts first_row + k to the place that the target's counter in `next` tells, for each k. */
void annotated_transpose(shmem_ctx_t ctx, const struct annotated_target* targets, size_t n, uint64_t* next,
                         uint64_t* rows, uint64_t first_row);

/* The transposition with its dependent part at the owner. */
void annotated_transpose_at_owner(shmem_ctx_t ctx, const struct annotated_target* targets, size_t n,
                                  uint64_t* next, uint64_t* rows, uint64_t first_row);

/* Counts each target in `table`; returns the sum of what was there before. */
uint64_t annotated_histogram(shmem_ctx_t ctx, const struct annotated_target* targets, size_t n,
                             uint64_t* table);

/* The sum of the targets' entries in `table`. */
uint64_t annotated_gather(shmem_ctx_t ctx, const struct annotated_target* targets, size_t n,
                          const uint64_t* table);

/* An edge to v, whose row is on another PE, and the rest of the row that it is in. */
struct annotated_edge {
  const uint64_t* after_v;
  uint64_t size;
  int pe;
  uint32_t row; /* on that PE */
};

/* How many entries of the rows of v are in the rest of their edges' rows too. An extent is where a row begins
   among the entries of its PE and, times 2^32, its size. */
uint64_t annotated_triangles(shmem_ctx_t ctx, const struct annotated_edge* edges, size_t n,
                             const uint64_t* extents, const uint64_t* entries);

/* A matrix to be sorted, over the PEs round robin, as in apps/kernels/topological_sort; PE k of n has rows
   and columns k, k + n, ... All but the numbers are symmetric. A number of `left` is what is left of a row:
   2^32 for each entry, plus the entry's column. */
struct annotated_matrix {
  uint64_t rows, pes, pe;
  /* n / pes is 2n times the factor, of that the upper 64 bits, shifted to the right. */
  uint64_t factor, shift;
  const uint64_t *extents, *entries; /* of its columns */
  uint64_t *left, *row_position, *column_position;
  uint64_t* placed; /* on PE 0 */
  /* The rows with one entry left, at first those that begin so, which others append to: how many; then rows
     on this PE, counted from 1, and zeros up to the room for all. */
  uint64_t* ready;
  /* `left` and `ready` for reading what no longer changes: rows that are in the list. Pointers of their own
     tell the compiler that what they read is not what deferred code writes. */
  const uint64_t *settled, *listed;
};

/* Gives all rows positions, from the last to the first: who has one entry left, together with the column of
   that, which is taken out of the other rows then. No PE may begin before all have their matrix. */
void annotated_sort(shmem_ctx_t ctx, const struct annotated_matrix* m);

#ifdef __cplusplus
}
#endif

#endif
