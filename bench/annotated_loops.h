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

/* The same, fused at the owner. */
void annotated_transpose_at_owner(shmem_ctx_t ctx, const struct annotated_target* targets, size_t n,
                                  uint64_t* next, uint64_t* rows, uint64_t first_row);

/* Counts each target in `table`; returns the sum of what was there before. */
uint64_t annotated_histogram(shmem_ctx_t ctx, const struct annotated_target* targets, size_t n,
                             uint64_t* table);

/* The sum of the targets' entries in `table`. */
uint64_t annotated_gather(shmem_ctx_t ctx, const struct annotated_target* targets, size_t n,
                          const uint64_t* table);

#ifdef __cplusplus
}
#endif

#endif
