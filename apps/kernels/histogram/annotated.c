/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/kernels/annotated.h"

/* Nothing depends on a fetched value: the context alone makes the increments travel in bulk. */
void histogram_loop(shmem_ctx_t ctx, const uint64_t* index, size_t n, uint64_t* table, uint64_t block) {
  for (size_t i = 0; i < n; i++)
    shmem_ctx_uint64_atomic_inc(ctx, &table[index[i] % block], (int)(index[i] / block));
  shmem_ctx_quiet(ctx);
}
