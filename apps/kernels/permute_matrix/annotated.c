/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/kernels/annotated.h"

void permute_loop(shmem_ctx_t ctx, const struct annotated_rows* from, const uint64_t* row_to,
                  const uint64_t* column_to, const uint64_t* extents, uint64_t* entries) {
  const uint64_t npes = from->npes, *first = from->first, *column = from->column;
#pragma shmem defer
  for (uint64_t k = 0; k < from->n; k++) {
    const int pe = (int)(row_to[k] % npes);
    const uint64_t place = shmem_ctx_uint64_g(ctx, &extents[row_to[k] / npes], pe) & UINT32_MAX;
    for (uint64_t i = first[k]; i < first[k + 1]; i++) {
      const uint64_t new_column =
          shmem_ctx_uint64_g(ctx, &column_to[column[i] / npes], (int)(column[i] % npes));
      shmem_ctx_uint64_p(ctx, &entries[place + i - first[k]], new_column, pe);
    }
  }
  shmem_ctx_quiet(ctx);
}
