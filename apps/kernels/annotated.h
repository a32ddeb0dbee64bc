/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels as plain C loops under `#pragma shmem defer`, one in each folder. Element i of an array in
   blocks is element i % block of PE i / block; element i of a cyclic one, also row or column i of a matrix,
   is element i / npes of PE i % npes. An extent says where a row's entries are on its PE: the first one in
   its lower 32 bits, how many in the upper. Every function returns when what this PE has issued on `ctx` has
   happened. */
#ifndef WINDROW_APPS_KERNELS_ANNOTATED_H
#define WINDROW_APPS_KERNELS_ANNOTATED_H

#include <shmem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts index[0 .. n - 1] in `table`, in blocks. */
void histogram_loop(shmem_ctx_t ctx, const uint64_t* index, size_t n, uint64_t* table, uint64_t block);

/* out[i] = table[index[i]], in blocks. */
void gather_loop(shmem_ctx_t ctx, const uint64_t* index, size_t n, const uint64_t* table, uint64_t block,
                 uint64_t* out);

/* Throws the darts flying[0 .. n - 1] at slots, in blocks, until each has one (random_permutation/darts.hpp).
   The three arrays have n elements, and what is in them afterwards means nothing. */
struct annotated_board {
  uint64_t* slots;
  uint64_t count, block, seed; /* of the slots */
};
void darts_loop(shmem_ctx_t ctx, const struct annotated_board* board, uint64_t* flying, uint64_t* expected,
                uint64_t* before, size_t n);

/* The rows of a PE: row k has the columns column[first[k] .. first[k + 1] - 1]. */
struct annotated_rows {
  uint64_t n, me, npes;
  const uint64_t *first, *column;
};

/* Entry (i, j) goes to row row_to[i], which has room as its extent says, and gets the column column_to[j].
   row_to is this PE's part of it, column_to cyclic. */
void permute_loop(shmem_ctx_t ctx, const struct annotated_rows* from, const uint64_t* row_to,
                  const uint64_t* column_to, const uint64_t* extents, uint64_t* entries);

/* Entry (i, j) becomes entry (j, i): next[j], cyclic, is the next free place of row j among the entries of
 * its PE. */
void transpose_loop(shmem_ctx_t ctx, const struct annotated_rows* from, uint64_t* next, uint64_t* entries);

/* Triangles u < v < w of the upper triangular matrix with u among this PE's rows, which are ascending. */
uint64_t triangles_loop(shmem_ctx_t ctx, const struct annotated_rows* from, const uint64_t* extents,
                        const uint64_t* entries);

/* A row with one entry left, and the column of that. */
struct annotated_last_entry {
  uint64_t row, column;
};
/* A matrix to sort; arrays are cyclic. `left` has 2^32 for each entry of a row plus the sum of their columns;
   `extents` and `entries` are the rows of each column; `placed` is on PE 0. */
struct sortable_matrix {
  uint64_t rows, npes;
  uint64_t *left, *row_position, *column_position, *placed;
  const uint64_t *extents, *entries;
};
/* Begins with the rows ready[0 .. n - 1]. Both lists have room for all rows of the matrix. */
void sort_loop(shmem_ctx_t ctx, const struct sortable_matrix* m, struct annotated_last_entry* ready,
               struct annotated_last_entry* next, size_t n);

/* Counts kmer[0 .. n - 1] in a hash table of `slots` keys and counts, in blocks; all bits of a free key are
   set. slot[i] is where to look first. The three arrays have n elements, and what is in them afterwards means
   nothing. */
struct annotated_table {
  uint64_t *keys, *counts;
  uint64_t slots, block;
};
void kmers_loop(shmem_ctx_t ctx, const struct annotated_table* table, uint64_t* kmer, uint64_t* slot,
                uint64_t* before, size_t n);

#ifdef __cplusplus
}
#endif

#endif
