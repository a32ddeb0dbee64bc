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
