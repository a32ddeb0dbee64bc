/* SPDX-License-Identifier: BSD-3-Clause */
/* What old programs call: routines of OpenSHMEM 1.0 to 1.4 that later versions deprecate or have removed.
   Part of shmem.h. */
#ifndef WINDROW_DETAIL_SHMEM_DEPRECATED_H
#define WINDROW_DETAIL_SHMEM_DEPRECATED_H

WINDROW_SHMEM_API(void, start_pes, (int npes))
WINDROW_SHMEM_API(int, _my_pe, (void))
WINDROW_SHMEM_API(int, _num_pes, (void))
WINDROW_SHMEM_API(void*, shmalloc, (size_t size))
WINDROW_SHMEM_API(void, shfree, (void* ptr))
WINDROW_SHMEM_API(void*, shrealloc, (void* ptr, size_t size))
WINDROW_SHMEM_API(void*, shmemalign, (size_t alignment, size_t size))

/* Memory is coherent: these do nothing. */
WINDROW_SHMEM_API(void, shmem_clear_cache_inv, (void))
WINDROW_SHMEM_API(void, shmem_clear_cache_line_inv, (void* dest))
WINDROW_SHMEM_API(void, shmem_set_cache_inv, (void))
WINDROW_SHMEM_API(void, shmem_set_cache_line_inv, (void* dest))
WINDROW_SHMEM_API(void, shmem_udcflush, (void))
WINDROW_SHMEM_API(void, shmem_udcflush_line, (void* dest))

/* Collectives over the PEs PE_start, PE_start + 2^logPE_stride, ... */
#define WINDROW_SHMEM_ACTIVE_SET int PE_start, int logPE_stride, int PE_size
#define WINDROW_SHMEM_ACTIVE_SET_NAMES PE_start, logPE_stride, PE_size
WINDROW_SHMEM_API(void, shmem_barrier, (WINDROW_SHMEM_ACTIVE_SET, long* pSync))
WINDROW_SHMEM_API(void, shmem_sync, (WINDROW_SHMEM_ACTIVE_SET, long* pSync))
#define WINDROW_SHMEM_OLD_COLLECTIVES(S, bytes)                                                            \
  WINDROW_SHMEM_ROUTINE(                                                                                   \
      void, shmem_broadcast##S, broadcast_over<bytes>,                                                     \
      (void* dest, const void* source, size_t nelems, int PE_root, WINDROW_SHMEM_ACTIVE_SET, long* pSync), \
      (dest, source, nelems, PE_root, WINDROW_SHMEM_ACTIVE_SET_NAMES, pSync))                              \
  WINDROW_SHMEM_ROUTINE(                                                                                   \
      void, shmem_collect##S, collect_over<bytes>,                                                         \
      (void* dest, const void* source, size_t nelems, WINDROW_SHMEM_ACTIVE_SET, long* pSync),              \
      (dest, source, nelems, WINDROW_SHMEM_ACTIVE_SET_NAMES, pSync))                                       \
  WINDROW_SHMEM_ROUTINE(                                                                                   \
      void, shmem_fcollect##S, fcollect_over<bytes>,                                                       \
      (void* dest, const void* source, size_t nelems, WINDROW_SHMEM_ACTIVE_SET, long* pSync),              \
      (dest, source, nelems, WINDROW_SHMEM_ACTIVE_SET_NAMES, pSync))                                       \
  WINDROW_SHMEM_ROUTINE(                                                                                   \
      void, shmem_alltoall##S, alltoall_over<bytes>,                                                       \
      (void* dest, const void* source, size_t nelems, WINDROW_SHMEM_ACTIVE_SET, long* pSync),              \
      (dest, source, nelems, WINDROW_SHMEM_ACTIVE_SET_NAMES, pSync))                                       \
  WINDROW_SHMEM_ROUTINE(void, shmem_alltoalls##S, alltoalls_over<bytes>,                                   \
                        (void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,      \
                         WINDROW_SHMEM_ACTIVE_SET, long* pSync),                                           \
                        (dest, source, dst, sst, nelems, WINDROW_SHMEM_ACTIVE_SET_NAMES, pSync))
WINDROW_SHMEM_OLD_COLLECTIVES(32, 4)
WINDROW_SHMEM_OLD_COLLECTIVES(64, 8)
#define WINDROW_SHMEM_OLD_REDUCE(T, N, op, B)                                                   \
  WINDROW_SHMEM_ROUTINE(                                                                        \
      void, shmem_##N##op##_to_all, reduce_over<by##op>,                                        \
      (T * dest, const T* source, int nreduce, WINDROW_SHMEM_ACTIVE_SET, T* pWrk, long* pSync), \
      (dest, source, nreduce, WINDROW_SHMEM_ACTIVE_SET_NAMES, pWrk, pSync))
WINDROW_SHMEM_OLD_INTEGERS(WINDROW_SHMEM_OLD_REDUCE, _and, )
WINDROW_SHMEM_OLD_INTEGERS(WINDROW_SHMEM_OLD_REDUCE, _or, )
WINDROW_SHMEM_OLD_INTEGERS(WINDROW_SHMEM_OLD_REDUCE, _xor, )
WINDROW_SHMEM_OLD_ORDERED(WINDROW_SHMEM_OLD_REDUCE, _max, )
WINDROW_SHMEM_OLD_ORDERED(WINDROW_SHMEM_OLD_REDUCE, _min, )
WINDROW_SHMEM_OLD_ARITHMETIC(WINDROW_SHMEM_OLD_REDUCE, _sum, )
WINDROW_SHMEM_OLD_ARITHMETIC(WINDROW_SHMEM_OLD_REDUCE, _prod, )

/* Atomics without "atomic" in their names; the standard had them for int, long and long long (and float and
   double), other libraries have them for all types. */
#define WINDROW_SHMEM_OLD_ATOMICS(T, N, A, B)                                                          \
  WINDROW_SHMEM_ON_JOB(T, shmem_##N##_cswap, atomic_compare_swap, (T * dest, T cond, T value, int pe), \
                       (dest, cond, value, pe))                                                        \
  WINDROW_SHMEM_ON_JOB(T, shmem_##N##_finc, atomic_fetch_inc, (T * dest, int pe), (dest, pe))          \
  WINDROW_SHMEM_ON_JOB(void, shmem_##N##_inc, atomic_inc, (T * dest, int pe), (dest, pe))              \
  WINDROW_SHMEM_ON_JOB(T, shmem_##N##_fadd, atomic_fetch_add, (T * dest, T value, int pe),             \
                       (dest, value, pe))                                                              \
  WINDROW_SHMEM_ON_JOB(void, shmem_##N##_add, atomic_add, (T * dest, T value, int pe), (dest, value, pe))
#define WINDROW_SHMEM_OLD_EXTENDED_ATOMICS(T, N, A, B)                                                    \
  WINDROW_SHMEM_ON_JOB(T, shmem_##N##_fetch, atomic_fetch, (const T* source, int pe), (source, pe))       \
  WINDROW_SHMEM_ON_JOB(void, shmem_##N##_set, atomic_set, (T * dest, T value, int pe), (dest, value, pe)) \
  WINDROW_SHMEM_ON_JOB(T, shmem_##N##_swap, atomic_swap, (T * dest, T value, int pe), (dest, value, pe))
WINDROW_SHMEM_AMO_TYPES(WINDROW_SHMEM_OLD_ATOMICS, , )
WINDROW_SHMEM_EXTENDED_AMO_TYPES(WINDROW_SHMEM_OLD_EXTENDED_ATOMICS, , )

/* Waits until *ivar is no longer cmp_value. */
#define WINDROW_SHMEM_OLD_WAIT(T, N, A, B)                                                         \
  WINDROW_SHMEM_ROUTINE(void, shmem_##N##_wait, wait_for_change, (volatile T * ivar, T cmp_value), \
                        (ivar, cmp_value))
WINDROW_SHMEM_OLD_INTEGERS(WINDROW_SHMEM_OLD_WAIT, , )
WINDROW_SHMEM_API(void, shmem_wait, (volatile long* ivar, long cmp_value))

/* Without a type in their names; C++ has overloads instead. */
#if !defined(__cplusplus) || defined(WINDROW_SHMEM_LIBRARY)
WINDROW_SHMEM_API(void, shmem_wait_until, (volatile long* ivar, int cmp, long cmp_value))
WINDROW_SHMEM_API(long, shmem_swap, (long* dest, long value, int pe))
#endif

#endif
