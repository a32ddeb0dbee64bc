/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/kernels/annotated.h"

void transpose_loop(shmem_ctx_t ctx, const struct annotated_rows* from, uint64_t* next, uint64_t* entries) {
  const uint64_t npes = from->npes;
  for (uint64_t k = 0; k < from->n; k++) {
#pragma shmem defer
    for (uint64_t i = from->first[k]; i < from->first[k + 1]; i++) {
      const uint64_t column = from->column[i];
      const uint64_t place =
          shmem_ctx_uint64_atomic_fetch_inc(ctx, &next[column / npes], (int)(column % npes));
      shmem_ctx_uint64_p(ctx, &entries[place], k * npes + from->me, (int)(column % npes));
    }
  }
  shmem_ctx_quiet(ctx);
}
