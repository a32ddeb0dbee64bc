/* SPDX-License-Identifier: BSD-3-Clause */
/* Extensions of other libraries that OpenSHMEM 1.6 made standard, under their old names. Part of shmemx.h. */
#ifndef WINDROW_DETAIL_SHMEMX_ALIASES_H
#define WINDROW_DETAIL_SHMEMX_ALIASES_H

/* NOLINTBEGIN(readability-identifier-naming): the names of functions */
#define shmemx_query_initialized shmem_query_initialized
#define shmemx_team_ptr shmem_team_ptr
#define shmemx_ctx_session_start shmem_ctx_session_start
#define shmemx_ctx_session_stop shmem_ctx_session_stop
#define shmemx_pe_quiet shmem_pe_quiet
#define shmemx_ctx_pe_quiet shmem_ctx_pe_quiet
#define shmemx_signal_add shmem_signal_add
#define shmemx_signal_set shmem_signal_set
#define shmemx_ctx_signal_add shmem_ctx_signal_add
#define shmemx_ctx_signal_set shmem_ctx_signal_set
/* Type-generic. */
#define shmemx_ibput shmem_ibput
#define shmemx_ibget shmem_ibget
#define shmemx_sum_inscan shmem_sum_inscan
#define shmemx_sum_exscan shmem_sum_exscan

/* NOLINTEND(readability-identifier-naming) */

/* One for each type, hence functions. */
#define WINDROW_SHMEMX_BLOCKS(T, name)                                                                       \
  static __inline__ void shmemx_##name(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, \
                                       size_t nblocks, int pe) {                                             \
    shmem_##name(dest, source, dst, sst, bsize, nblocks, pe);                                                \
  }                                                                                                          \
  static __inline__ void shmemx_ctx_##name(shmem_ctx_t ctx, T* dest, const T* source, ptrdiff_t dst,         \
                                           ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) {            \
    shmem_ctx_##name(ctx, dest, source, dst, sst, bsize, nblocks, pe);                                       \
  }
#define WINDROW_SHMEMX_TYPED_BLOCKS(T, N, A, B) \
  WINDROW_SHMEMX_BLOCKS(T, N##_ibput) WINDROW_SHMEMX_BLOCKS(T, N##_ibget)
#define WINDROW_SHMEMX_SIZED_BLOCKS(S, bytes, A, B) \
  WINDROW_SHMEMX_BLOCKS(void, ibput##S) WINDROW_SHMEMX_BLOCKS(void, ibget##S)
#define WINDROW_SHMEMX_SCAN(T, name)                                                                \
  static __inline__ int shmemx_##name(shmem_team_t team, T* dest, const T* source, size_t nelems) { \
    return shmem_##name(team, dest, source, nelems);                                                \
  }
#define WINDROW_SHMEMX_SCANS(T, N, A, B) \
  WINDROW_SHMEMX_SCAN(T, N##_sum_inscan) WINDROW_SHMEMX_SCAN(T, N##_sum_exscan)
WINDROW_SHMEM_RMA_TYPES(WINDROW_SHMEMX_TYPED_BLOCKS, , )
WINDROW_SHMEM_SIZES(WINDROW_SHMEMX_SIZED_BLOCKS, , )
WINDROW_SHMEM_ARITHMETIC_REDUCE_TYPES(WINDROW_SHMEMX_SCANS, , )

#endif
