/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenSHMEM 1.6 interface, with the deprecated calls of 1.0 to 1.4, on Windrow. The
   semantics are those of the standard (openshmem.org); src/shmem/README.md says where it leaves a choice and
   what is chosen here. Routines that exist for many types are declared by table: see
   windrow/detail/shmem_types.h. Every shmem_ routine can also be called as pshmem_, and a profiling library
   may define the former. */
#ifndef WINDROW_SHMEM_H
#define WINDROW_SHMEM_H

/* Strict compilers of C89 would complain about long long, complex numbers and variadic macros. */
#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
#pragma GCC system_header
#endif

#include "windrow/detail/shmem_types.h"

/* ---- constants */

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 6
#define SHMEM_MAX_NAME_LEN 64
#define SHMEM_VENDOR_STRING "Windrow"
/* By which programs for Open MPI's library ask for a version. */
#define OSHMEM_SPEC_VERSION (SHMEM_MAJOR_VERSION * 10000 + SHMEM_MINOR_VERSION * 100)

enum { SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE };

enum { SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_LE, SHMEM_CMP_LT, SHMEM_CMP_GE };

enum { SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD };

/* Macros too, as elsewhere, since programs ask by #ifdef what there is. */
#define SHMEM_THREAD_SINGLE SHMEM_THREAD_SINGLE
#define SHMEM_THREAD_FUNNELED SHMEM_THREAD_FUNNELED
#define SHMEM_THREAD_SERIALIZED SHMEM_THREAD_SERIALIZED
#define SHMEM_THREAD_MULTIPLE SHMEM_THREAD_MULTIPLE
#define SHMEM_CMP_EQ SHMEM_CMP_EQ
#define SHMEM_CMP_NE SHMEM_CMP_NE
#define SHMEM_CMP_GT SHMEM_CMP_GT
#define SHMEM_CMP_LE SHMEM_CMP_LE
#define SHMEM_CMP_LT SHMEM_CMP_LT
#define SHMEM_CMP_GE SHMEM_CMP_GE
#define SHMEM_SIGNAL_SET SHMEM_SIGNAL_SET
#define SHMEM_SIGNAL_ADD SHMEM_SIGNAL_ADD

#define SHMEM_MALLOC_ATOMICS_REMOTE 0x1L
#define SHMEM_MALLOC_SIGNAL_REMOTE 0x2L

#define SHMEM_CTX_SERIALIZED 0x1L
#define SHMEM_CTX_PRIVATE 0x2L
#define SHMEM_CTX_NOSTORE 0x4L

#define SHMEM_TEAM_NUM_CONTEXTS 0x1L

#define SHMEM_CTX_SESSION_BATCH 0x1L
#define SHMEM_CTX_SESSION_TOTAL_OPS 0x1L

/* Of the work arrays of active-set collectives. */
#define SHMEM_SYNC_VALUE 0L
#define SHMEM_SYNC_SIZE 8
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1

/* Deprecated spellings. */
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE

/* ---- handles */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct shmem_team_object* shmem_team_t;
typedef struct shmem_ctx_object* shmem_ctx_t;

typedef struct {
  int num_contexts;
} shmem_team_config_t;

typedef struct {
  size_t total_ops;
} shmem_ctx_session_config_t;

extern struct shmem_team_object shmem_team_object_world, shmem_team_object_shared;
extern struct shmem_ctx_object shmem_ctx_object_default;

#define SHMEM_TEAM_WORLD (&shmem_team_object_world)
#define SHMEM_TEAM_SHARED (&shmem_team_object_shared)
#define SHMEM_CTX_DEFAULT (&shmem_ctx_object_default)
#ifdef __cplusplus
#define SHMEM_TEAM_INVALID (static_cast<shmem_team_t>(nullptr))
#define SHMEM_CTX_INVALID (static_cast<shmem_ctx_t>(nullptr))
#else
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#endif

/* A routine and its profiling entry. */
#define WINDROW_SHMEM_API(result, name, parameters) \
  result name parameters;                           \
  result p##name parameters;

/* Routines of a family: what carries them out (windrow::shmem::routines::operation), their parameters, and
   the names of these as arguments for it. The library defines them by the lines that declare them here, with
   other meanings of the first three (src/shmem/define.hpp): routines that name a team or a place of this PE,
   those on PEs of the job, and those on PEs of a context. */
#define WINDROW_SHMEM_ROUTINE(result, name, operation, parameters, arguments) \
  WINDROW_SHMEM_API(result, name, parameters)
#define WINDROW_SHMEM_ON_JOB(result, name, operation, parameters, arguments) \
  WINDROW_SHMEM_API(result, name, parameters)
#define WINDROW_SHMEM_ON_CONTEXT(result, name, operation, parameters, arguments) \
  WINDROW_SHMEM_API(result, name, (shmem_ctx_t ctx, WINDROW_SHMEM_LIST parameters))
#define WINDROW_SHMEM_BOTH(result, name, operation, parameters, arguments)     \
  WINDROW_SHMEM_ON_JOB(result, shmem_##name, operation, parameters, arguments) \
  WINDROW_SHMEM_ON_CONTEXT(result, shmem_ctx_##name, operation, parameters, arguments)
#define WINDROW_SHMEM_LIST(...) __VA_ARGS__

/* ---- setup, exit and query */

WINDROW_SHMEM_API(void, shmem_init, (void))
WINDROW_SHMEM_API(int, shmem_init_thread, (int requested, int* provided))
WINDROW_SHMEM_API(void, shmem_query_thread, (int* provided))
WINDROW_SHMEM_API(void, shmem_query_initialized, (int* initialized))
WINDROW_SHMEM_API(void, shmem_finalize, (void))
WINDROW_SHMEM_API(void, shmem_global_exit, (int status))
WINDROW_SHMEM_API(int, shmem_my_pe, (void))
WINDROW_SHMEM_API(int, shmem_n_pes, (void))
WINDROW_SHMEM_API(int, shmem_pe_accessible, (int pe))
WINDROW_SHMEM_API(int, shmem_addr_accessible, (const void* addr, int pe))
WINDROW_SHMEM_API(void*, shmem_ptr, (const void* dest, int pe))
WINDROW_SHMEM_API(void*, shmem_team_ptr, (shmem_team_t team, const void* dest, int pe))
WINDROW_SHMEM_API(void, shmem_info_get_version, (int* major, int* minor))
WINDROW_SHMEM_API(void, shmem_info_get_name, (char* name))
WINDROW_SHMEM_API(void, shmem_pcontrol, (int level, ...))

/* ---- memory management */

WINDROW_SHMEM_API(void*, shmem_malloc, (size_t size))
WINDROW_SHMEM_API(void*, shmem_malloc_with_hints, (size_t size, long hints))
WINDROW_SHMEM_API(void*, shmem_calloc, (size_t count, size_t size))
WINDROW_SHMEM_API(void*, shmem_align, (size_t alignment, size_t size))
WINDROW_SHMEM_API(void*, shmem_realloc, (void* ptr, size_t size))
WINDROW_SHMEM_API(void, shmem_free, (void* ptr))

/* ---- teams */

WINDROW_SHMEM_API(int, shmem_team_my_pe, (shmem_team_t team))
WINDROW_SHMEM_API(int, shmem_team_n_pes, (shmem_team_t team))
WINDROW_SHMEM_API(int, shmem_team_get_config,
                  (shmem_team_t team, long config_mask, shmem_team_config_t* config))
WINDROW_SHMEM_API(int, shmem_team_translate_pe, (shmem_team_t src_team, int src_pe, shmem_team_t dest_team))
WINDROW_SHMEM_API(int, shmem_team_split_strided,
                  (shmem_team_t parent_team, int start, int stride, int size,
                   const shmem_team_config_t* config, long config_mask, shmem_team_t* new_team))
WINDROW_SHMEM_API(int, shmem_team_split_2d,
                  (shmem_team_t parent_team, int xrange, const shmem_team_config_t* xaxis_config,
                   long xaxis_mask, shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config,
                   long yaxis_mask, shmem_team_t* yaxis_team))
WINDROW_SHMEM_API(void, shmem_team_destroy, (shmem_team_t team))
WINDROW_SHMEM_API(int, shmem_team_sync, (shmem_team_t team))

/* ---- contexts */

WINDROW_SHMEM_API(int, shmem_ctx_create, (long options, shmem_ctx_t* ctx))
WINDROW_SHMEM_API(int, shmem_team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t* ctx))
WINDROW_SHMEM_API(void, shmem_ctx_destroy, (shmem_ctx_t ctx))
WINDROW_SHMEM_API(int, shmem_ctx_get_team, (shmem_ctx_t ctx, shmem_team_t* team))
WINDROW_SHMEM_API(void, shmem_ctx_session_start,
                  (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t* config, long config_mask))
WINDROW_SHMEM_API(void, shmem_ctx_session_stop, (shmem_ctx_t ctx))

/* ---- remote memory access */

#define WINDROW_SHMEM_RMA(T, N, A, B)                                                                      \
  WINDROW_SHMEM_BOTH(void, N##_put, put, (T * dest, const T* source, size_t nelems, int pe),               \
                     (dest, source, nelems, pe))                                                           \
  WINDROW_SHMEM_BOTH(void, N##_get, get, (T * dest, const T* source, size_t nelems, int pe),               \
                     (dest, source, nelems, pe))                                                           \
  WINDROW_SHMEM_BOTH(void, N##_put_nbi, put_nbi, (T * dest, const T* source, size_t nelems, int pe),       \
                     (dest, source, nelems, pe))                                                           \
  WINDROW_SHMEM_BOTH(void, N##_get_nbi, get_nbi, (T * dest, const T* source, size_t nelems, int pe),       \
                     (dest, source, nelems, pe))                                                           \
  WINDROW_SHMEM_BOTH(void, N##_p, p, (T * dest, T value, int pe), (dest, value, pe))                       \
  WINDROW_SHMEM_BOTH(T, N##_g, g, (const T* source, int pe), (source, pe))                                 \
  WINDROW_SHMEM_BOTH(void, N##_iput, iput<sizeof(T)>,                                                      \
                     (T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe),     \
                     (dest, source, dst, sst, nelems, pe))                                                 \
  WINDROW_SHMEM_BOTH(void, N##_iget, iget<sizeof(T)>,                                                      \
                     (T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe),     \
                     (dest, source, dst, sst, nelems, pe))                                                 \
  WINDROW_SHMEM_BOTH(                                                                                      \
      void, N##_ibput, ibput<sizeof(T)>,                                                                   \
      (T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe),     \
      (dest, source, dst, sst, bsize, nblocks, pe))                                                        \
  WINDROW_SHMEM_BOTH(                                                                                      \
      void, N##_ibget, ibget<sizeof(T)>,                                                                   \
      (T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe),     \
      (dest, source, dst, sst, bsize, nblocks, pe))                                                        \
  WINDROW_SHMEM_BOTH(                                                                                      \
      void, N##_put_signal, put_signal<sizeof(T)>,                                                         \
      (T * dest, const T* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe), \
      (dest, source, nelems, sig_addr, signal, sig_op, pe))                                                \
  WINDROW_SHMEM_BOTH(                                                                                      \
      void, N##_put_signal_nbi, put_signal_nbi<sizeof(T)>,                                                 \
      (T * dest, const T* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe), \
      (dest, source, nelems, sig_addr, signal, sig_op, pe))
WINDROW_SHMEM_RMA_TYPES(WINDROW_SHMEM_RMA, , )

/* The untyped ones: shmem_put32 and so on; shmem_putmem counts bytes. */
#define WINDROW_SHMEM_UNTYPED(S, bytes)                                                                   \
  WINDROW_SHMEM_BOTH(void, put##S, put_untyped<bytes>,                                                    \
                     (void* dest, const void* source, size_t nelems, int pe), (dest, source, nelems, pe)) \
  WINDROW_SHMEM_BOTH(void, get##S, get_untyped<bytes>,                                                    \
                     (void* dest, const void* source, size_t nelems, int pe), (dest, source, nelems, pe)) \
  WINDROW_SHMEM_BOTH(void, put##S##_nbi, put_untyped_nbi<bytes>,                                          \
                     (void* dest, const void* source, size_t nelems, int pe), (dest, source, nelems, pe)) \
  WINDROW_SHMEM_BOTH(void, get##S##_nbi, get_untyped_nbi<bytes>,                                          \
                     (void* dest, const void* source, size_t nelems, int pe), (dest, source, nelems, pe)) \
  WINDROW_SHMEM_BOTH(void, put##S##_signal, put_signal<bytes>,                                            \
                     (void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, \
                      int sig_op, int pe),                                                                \
                     (dest, source, nelems, sig_addr, signal, sig_op, pe))                                \
  WINDROW_SHMEM_BOTH(void, put##S##_signal_nbi, put_signal_nbi<bytes>,                                    \
                     (void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, \
                      int sig_op, int pe),                                                                \
                     (dest, source, nelems, sig_addr, signal, sig_op, pe))
#define WINDROW_SHMEM_UNTYPED_STRIDED(S, bytes, A, B)                                                       \
  WINDROW_SHMEM_UNTYPED(S, bytes)                                                                           \
  WINDROW_SHMEM_BOTH(void, iput##S, iput<bytes>,                                                            \
                     (void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), \
                     (dest, source, dst, sst, nelems, pe))                                                  \
  WINDROW_SHMEM_BOTH(void, iget##S, iget<bytes>,                                                            \
                     (void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), \
                     (dest, source, dst, sst, nelems, pe))                                                  \
  WINDROW_SHMEM_BOTH(                                                                                       \
      void, ibput##S, ibput<bytes>,                                                                         \
      (void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe), \
      (dest, source, dst, sst, bsize, nblocks, pe))                                                         \
  WINDROW_SHMEM_BOTH(                                                                                       \
      void, ibget##S, ibget<bytes>,                                                                         \
      (void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe), \
      (dest, source, dst, sst, bsize, nblocks, pe))
WINDROW_SHMEM_UNTYPED(mem, 1)
WINDROW_SHMEM_SIZES(WINDROW_SHMEM_UNTYPED_STRIDED, , )

/* ---- atomic memory operations */

#define WINDROW_SHMEM_AMO(T, N, A, B)                                                                      \
  WINDROW_SHMEM_BOTH(T, N##_atomic_compare_swap, atomic_compare_swap, (T * dest, T cond, T value, int pe), \
                     (dest, cond, value, pe))                                                              \
  WINDROW_SHMEM_BOTH(T, N##_atomic_fetch_inc, atomic_fetch_inc, (T * dest, int pe), (dest, pe))            \
  WINDROW_SHMEM_BOTH(void, N##_atomic_inc, atomic_inc, (T * dest, int pe), (dest, pe))                     \
  WINDROW_SHMEM_BOTH(T, N##_atomic_fetch_add, atomic_fetch_add, (T * dest, T value, int pe),               \
                     (dest, value, pe))                                                                    \
  WINDROW_SHMEM_BOTH(void, N##_atomic_add, atomic_add, (T * dest, T value, int pe), (dest, value, pe))     \
  WINDROW_SHMEM_BOTH(void, N##_atomic_compare_swap_nbi, atomic_compare_swap_nbi,                           \
                     (T * fetch, T * dest, T cond, T value, int pe), (fetch, dest, cond, value, pe))       \
  WINDROW_SHMEM_BOTH(void, N##_atomic_fetch_inc_nbi, atomic_fetch_inc_nbi, (T * fetch, T * dest, int pe),  \
                     (fetch, dest, pe))                                                                    \
  WINDROW_SHMEM_BOTH(void, N##_atomic_fetch_add_nbi, atomic_fetch_add_nbi,                                 \
                     (T * fetch, T * dest, T value, int pe), (fetch, dest, value, pe))
#define WINDROW_SHMEM_EXTENDED_AMO(T, N, A, B)                                                           \
  WINDROW_SHMEM_BOTH(T, N##_atomic_fetch, atomic_fetch, (const T* source, int pe), (source, pe))         \
  WINDROW_SHMEM_BOTH(void, N##_atomic_set, atomic_set, (T * dest, T value, int pe), (dest, value, pe))   \
  WINDROW_SHMEM_BOTH(T, N##_atomic_swap, atomic_swap, (T * dest, T value, int pe), (dest, value, pe))    \
  WINDROW_SHMEM_BOTH(void, N##_atomic_fetch_nbi, atomic_fetch_nbi, (T * fetch, const T* source, int pe), \
                     (fetch, source, pe))                                                                \
  WINDROW_SHMEM_BOTH(void, N##_atomic_swap_nbi, atomic_swap_nbi, (T * fetch, T * dest, T value, int pe), \
                     (fetch, dest, value, pe))
#define WINDROW_SHMEM_BITWISE_AMO(T, N, A, B) \
  WINDROW_SHMEM_BITWISE_AMO_OP(T, N, _and)    \
  WINDROW_SHMEM_BITWISE_AMO_OP(T, N, _or)     \
  WINDROW_SHMEM_BITWISE_AMO_OP(T, N, _xor)
#define WINDROW_SHMEM_BITWISE_AMO_OP(T, N, op)                                                         \
  WINDROW_SHMEM_BOTH(T, N##_atomic_fetch##op, atomic_fetch##op, (T * dest, T value, int pe),           \
                     (dest, value, pe))                                                                \
  WINDROW_SHMEM_BOTH(void, N##_atomic##op, atomic##op, (T * dest, T value, int pe), (dest, value, pe)) \
  WINDROW_SHMEM_BOTH(void, N##_atomic_fetch##op##_nbi, atomic_fetch##op##_nbi,                         \
                     (T * fetch, T * dest, T value, int pe), (fetch, dest, value, pe))
WINDROW_SHMEM_AMO_TYPES(WINDROW_SHMEM_AMO, , )
WINDROW_SHMEM_EXTENDED_AMO_TYPES(WINDROW_SHMEM_EXTENDED_AMO, , )
WINDROW_SHMEM_BITWISE_AMO_TYPES(WINDROW_SHMEM_BITWISE_AMO, , )

/* ---- signals */

WINDROW_SHMEM_API(uint64_t, shmem_signal_fetch, (const uint64_t* sig_addr))
WINDROW_SHMEM_API(uint64_t, shmem_signal_wait_until, (uint64_t* sig_addr, int cmp, uint64_t cmp_value))
#define WINDROW_SHMEM_SIGNAL(op)                                                                  \
  WINDROW_SHMEM_BOTH(void, signal##op, signal##op, (uint64_t* sig_addr, uint64_t signal, int pe), \
                     (sig_addr, signal, pe))
WINDROW_SHMEM_SIGNAL(_add)
WINDROW_SHMEM_SIGNAL(_set)

/* ---- collectives */

WINDROW_SHMEM_API(void, shmem_barrier_all, (void))
WINDROW_SHMEM_API(void, shmem_sync_all, (void))

#define WINDROW_SHMEM_COLLECTIVES(T, size, broadcast_name, collect_name, fcollect_name, alltoall_name, \
                                  alltoalls_name)                                                      \
  WINDROW_SHMEM_ROUTINE(int, broadcast_name, broadcast<size>,                                          \
                        (shmem_team_t team, T * dest, const T* source, size_t nelems, int PE_root),    \
                        (team, dest, source, nelems, PE_root))                                         \
  WINDROW_SHMEM_ROUTINE(int, collect_name, collect<size>,                                              \
                        (shmem_team_t team, T * dest, const T* source, size_t nelems),                 \
                        (team, dest, source, nelems))                                                  \
  WINDROW_SHMEM_ROUTINE(int, fcollect_name, fcollect<size>,                                            \
                        (shmem_team_t team, T * dest, const T* source, size_t nelems),                 \
                        (team, dest, source, nelems))                                                  \
  WINDROW_SHMEM_ROUTINE(int, alltoall_name, alltoall<size>,                                            \
                        (shmem_team_t team, T * dest, const T* source, size_t nelems),                 \
                        (team, dest, source, nelems))                                                  \
  WINDROW_SHMEM_ROUTINE(                                                                               \
      int, alltoalls_name, alltoalls<size>,                                                            \
      (shmem_team_t team, T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems),     \
      (team, dest, source, dst, sst, nelems))
#define WINDROW_SHMEM_TYPED_COLLECTIVES(T, N, A, B)                                                         \
  WINDROW_SHMEM_COLLECTIVES(T, sizeof(T), shmem_##N##_broadcast, shmem_##N##_collect, shmem_##N##_fcollect, \
                            shmem_##N##_alltoall, shmem_##N##_alltoalls)
#define WINDROW_SHMEM_UNTYPED_COLLECTIVES(T, bytes)                                            \
  WINDROW_SHMEM_COLLECTIVES(T, bytes, shmem_broadcastmem, shmem_collectmem, shmem_fcollectmem, \
                            shmem_alltoallmem, shmem_alltoallsmem)
WINDROW_SHMEM_RMA_TYPES(WINDROW_SHMEM_TYPED_COLLECTIVES, , )
WINDROW_SHMEM_UNTYPED_COLLECTIVES(void, 1)

#define WINDROW_SHMEM_REDUCE(T, N, op, B)                                               \
  WINDROW_SHMEM_ROUTINE(int, shmem_##N##op##_reduce, reduce<by##op>,                    \
                        (shmem_team_t team, T * dest, const T* source, size_t nreduce), \
                        (team, dest, source, nreduce))
#define WINDROW_SHMEM_SCAN(T, N, A, B)                                                 \
  WINDROW_SHMEM_ROUTINE(int, shmem_##N##_sum_inscan, inclusive_sum,                    \
                        (shmem_team_t team, T * dest, const T* source, size_t nelems), \
                        (team, dest, source, nelems))                                  \
  WINDROW_SHMEM_ROUTINE(int, shmem_##N##_sum_exscan, exclusive_sum,                    \
                        (shmem_team_t team, T * dest, const T* source, size_t nelems), \
                        (team, dest, source, nelems))
WINDROW_SHMEM_BITWISE_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _and, )
WINDROW_SHMEM_BITWISE_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _or, )
WINDROW_SHMEM_BITWISE_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _xor, )
WINDROW_SHMEM_ORDERED_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _max, )
WINDROW_SHMEM_ORDERED_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _min, )
WINDROW_SHMEM_ARITHMETIC_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _sum, )
WINDROW_SHMEM_ARITHMETIC_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _prod, )
WINDROW_SHMEM_ARITHMETIC_REDUCE_TYPES(WINDROW_SHMEM_SCAN, , )

/* ---- point-to-point synchronization */

/* Old programs declare what they wait for volatile. */
#define WINDROW_SHMEM_SYNC(T, N, A, B)                                                                       \
  WINDROW_SHMEM_ROUTINE(void, shmem_##N##_wait_until, wait_until, (volatile T * ivar, int cmp, T cmp_value), \
                        (ivar, cmp, cmp_value))                                                              \
  WINDROW_SHMEM_ROUTINE(void, shmem_##N##_wait_until_all, wait_until_all,                                    \
                        (T * ivars, size_t nelems, const int* status, int cmp, T cmp_value),                 \
                        (ivars, nelems, status, cmp, cmp_value))                                             \
  WINDROW_SHMEM_ROUTINE(size_t, shmem_##N##_wait_until_any, wait_until_any,                                  \
                        (T * ivars, size_t nelems, const int* status, int cmp, T cmp_value),                 \
                        (ivars, nelems, status, cmp, cmp_value))                                             \
  WINDROW_SHMEM_ROUTINE(                                                                                     \
      size_t, shmem_##N##_wait_until_some, wait_until_some,                                                  \
      (T * ivars, size_t nelems, size_t* indices, const int* status, int cmp, T cmp_value),                  \
      (ivars, nelems, indices, status, cmp, cmp_value))                                                      \
  WINDROW_SHMEM_ROUTINE(void, shmem_##N##_wait_until_all_vector, wait_until_all,                             \
                        (T * ivars, size_t nelems, const int* status, int cmp, const T* cmp_values),         \
                        (ivars, nelems, status, cmp, cmp_values))                                            \
  WINDROW_SHMEM_ROUTINE(size_t, shmem_##N##_wait_until_any_vector, wait_until_any,                           \
                        (T * ivars, size_t nelems, const int* status, int cmp, const T* cmp_values),         \
                        (ivars, nelems, status, cmp, cmp_values))                                            \
  WINDROW_SHMEM_ROUTINE(                                                                                     \
      size_t, shmem_##N##_wait_until_some_vector, wait_until_some,                                           \
      (T * ivars, size_t nelems, size_t* indices, const int* status, int cmp, const T* cmp_values),          \
      (ivars, nelems, indices, status, cmp, cmp_values))                                                     \
  WINDROW_SHMEM_ROUTINE(int, shmem_##N##_test, test, (volatile T * ivar, int cmp, T cmp_value),              \
                        (ivar, cmp, cmp_value))                                                              \
  WINDROW_SHMEM_ROUTINE(int, shmem_##N##_test_all, test_all,                                                 \
                        (T * ivars, size_t nelems, const int* status, int cmp, T cmp_value),                 \
                        (ivars, nelems, status, cmp, cmp_value))                                             \
  WINDROW_SHMEM_ROUTINE(size_t, shmem_##N##_test_any, test_any,                                              \
                        (T * ivars, size_t nelems, const int* status, int cmp, T cmp_value),                 \
                        (ivars, nelems, status, cmp, cmp_value))                                             \
  WINDROW_SHMEM_ROUTINE(                                                                                     \
      size_t, shmem_##N##_test_some, test_some,                                                              \
      (T * ivars, size_t nelems, size_t* indices, const int* status, int cmp, T cmp_value),                  \
      (ivars, nelems, indices, status, cmp, cmp_value))                                                      \
  WINDROW_SHMEM_ROUTINE(int, shmem_##N##_test_all_vector, test_all,                                          \
                        (T * ivars, size_t nelems, const int* status, int cmp, const T* cmp_values),         \
                        (ivars, nelems, status, cmp, cmp_values))                                            \
  WINDROW_SHMEM_ROUTINE(size_t, shmem_##N##_test_any_vector, test_any,                                       \
                        (T * ivars, size_t nelems, const int* status, int cmp, const T* cmp_values),         \
                        (ivars, nelems, status, cmp, cmp_values))                                            \
  WINDROW_SHMEM_ROUTINE(                                                                                     \
      size_t, shmem_##N##_test_some_vector, test_some,                                                       \
      (T * ivars, size_t nelems, size_t* indices, const int* status, int cmp, const T* cmp_values),          \
      (ivars, nelems, indices, status, cmp, cmp_values))
WINDROW_SHMEM_SYNC_TYPES(WINDROW_SHMEM_SYNC, , )

/* ---- ordering and locks */

WINDROW_SHMEM_API(void, shmem_fence, (void))
WINDROW_SHMEM_API(void, shmem_ctx_fence, (shmem_ctx_t ctx))
WINDROW_SHMEM_API(void, shmem_quiet, (void))
WINDROW_SHMEM_API(void, shmem_ctx_quiet, (shmem_ctx_t ctx))
WINDROW_SHMEM_API(void, shmem_pe_quiet, (const int* target_pes, size_t npes))
WINDROW_SHMEM_API(void, shmem_ctx_pe_quiet, (shmem_ctx_t ctx, const int* target_pes, size_t npes))
WINDROW_SHMEM_API(void, shmem_set_lock, (long* lock))
WINDROW_SHMEM_API(void, shmem_clear_lock, (long* lock))
WINDROW_SHMEM_API(int, shmem_test_lock, (long* lock))

/* Seconds since some moment; no routine of the standard, and a name that programs have for their own: only
   with WINDROW_SHMEM_WTIME. Always there as shmemx_wtime in shmemx.h. */
#ifdef WINDROW_SHMEM_WTIME
double shmem_wtime(void);
#endif

#include "windrow/detail/shmem_deprecated.h"

#ifdef __cplusplus
}
#ifndef WINDROW_SHMEM_LIBRARY /* the library itself defines what the overloads would hide */
extern "C++" {
#include "windrow/detail/shmem_overloads.h"
}
#endif
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#include "windrow/detail/shmem_generic.h"
#endif

#endif
