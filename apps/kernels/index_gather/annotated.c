/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/kernels/annotated.h"

void gather_loop(shmem_ctx_t ctx, const uint64_t* index, size_t n, const uint64_t* table, uint64_t block,
                 uint64_t* out) {
#pragma shmem defer
  for (size_t i = 0; i < n; i++)
    out[i] = shmem_ctx_uint64_g(ctx, &table[index[i] % block], (int)(index[i] / block));
  shmem_ctx_quiet(ctx);
}
