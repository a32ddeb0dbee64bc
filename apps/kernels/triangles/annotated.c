/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/kernels/annotated.h"

/* For each edge (u, v), the entries of row v are fetched and looked for in the rest of row u. Both ascend. */
uint64_t triangles_loop(shmem_ctx_t ctx, const struct annotated_rows* from, const uint64_t* extents,
                        const uint64_t* entries) {
  const uint64_t npes = from->npes, *first = from->first, *column = from->column;
  uint64_t found = 0;
#pragma shmem defer
  for (uint64_t k = 0; k < from->n; k++) {
    const uint64_t end_of_u = first[k + 1];
    for (uint64_t i = first[k]; i < end_of_u; i++) {
      const uint64_t v = column[i];
      const int pe = (int)(v % npes);
      const uint64_t extent = shmem_ctx_uint64_g(ctx, &extents[v / npes], pe);
      const uint64_t begin = extent & UINT32_MAX, end = begin + (extent >> 32);
      uint64_t at = i + 1; /* in row u */
      for (uint64_t e = begin; e < end; e++) {
        const uint64_t w = shmem_ctx_uint64_g(ctx, &entries[e], pe);
        while (at < end_of_u && column[at] < w) at++;
        found += at < end_of_u && column[at] == w;
      }
    }
  }
  shmem_ctx_quiet(ctx);
  return found;
}
