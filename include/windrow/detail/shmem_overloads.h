/* SPDX-License-Identifier: BSD-3-Clause */
/* The type-generic calls as C++ overloads. Part of shmem.h. */
#ifndef WINDROW_DETAIL_SHMEM_OVERLOADS_H
#define WINDROW_DETAIL_SHMEM_OVERLOADS_H

/* An overload that calls the typed routine; parameters and arguments in parentheses. */
#define WINDROW_SHMEM_OVERLOAD(result, name, typed, parameters, arguments) \
  inline result name parameters {                                          \
    return typed arguments;                                                \
  }
#define WINDROW_SHMEM_UNPACK(...) __VA_ARGS__
/* Overloads without and with a context. */
#define WINDROW_SHMEM_OVERLOADS(result, name, N, parameters, arguments)                   \
  WINDROW_SHMEM_OVERLOAD(result, shmem_##name, shmem_##N##_##name, parameters, arguments) \
  WINDROW_SHMEM_OVERLOAD(result, shmem_##name, shmem_ctx_##N##_##name,                    \
                         (shmem_ctx_t ctx, WINDROW_SHMEM_UNPACK parameters),              \
                         (ctx, WINDROW_SHMEM_UNPACK arguments))
#define WINDROW_SHMEM_PLAIN_OVERLOAD(result, name, N, parameters, arguments) \
  WINDROW_SHMEM_OVERLOAD(result, shmem_##name, shmem_##N##_##name, parameters, arguments)

#define WINDROW_SHMEM_RMA_OVERLOADS(T, N, A, B)                                                             \
  WINDROW_SHMEM_OVERLOADS(void, put, N, (T * dest, const T* source, size_t nelems, int pe),                 \
                          (dest, source, nelems, pe))                                                       \
  WINDROW_SHMEM_OVERLOADS(void, get, N, (T * dest, const T* source, size_t nelems, int pe),                 \
                          (dest, source, nelems, pe))                                                       \
  WINDROW_SHMEM_OVERLOADS(void, put_nbi, N, (T * dest, const T* source, size_t nelems, int pe),             \
                          (dest, source, nelems, pe))                                                       \
  WINDROW_SHMEM_OVERLOADS(void, get_nbi, N, (T * dest, const T* source, size_t nelems, int pe),             \
                          (dest, source, nelems, pe))                                                       \
  WINDROW_SHMEM_OVERLOADS(void, p, N, (T * dest, T value, int pe), (dest, value, pe))                       \
  WINDROW_SHMEM_OVERLOADS(T, g, N, (const T* source, int pe), (source, pe))                                 \
  WINDROW_SHMEM_OVERLOADS(void, iput, N,                                                                    \
                          (T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), \
                          (dest, source, dst, sst, nelems, pe))                                             \
  WINDROW_SHMEM_OVERLOADS(void, iget, N,                                                                    \
                          (T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), \
                          (dest, source, dst, sst, nelems, pe))                                             \
  WINDROW_SHMEM_OVERLOADS(                                                                                  \
      void, ibput, N,                                                                                       \
      (T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe),      \
      (dest, source, dst, sst, bsize, nblocks, pe))                                                         \
  WINDROW_SHMEM_OVERLOADS(                                                                                  \
      void, ibget, N,                                                                                       \
      (T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe),      \
      (dest, source, dst, sst, bsize, nblocks, pe))                                                         \
  WINDROW_SHMEM_OVERLOADS(                                                                                  \
      void, put_signal, N,                                                                                  \
      (T * dest, const T* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe),  \
      (dest, source, nelems, sig_addr, signal, sig_op, pe))                                                 \
  WINDROW_SHMEM_OVERLOADS(                                                                                  \
      void, put_signal_nbi, N,                                                                              \
      (T * dest, const T* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe),  \
      (dest, source, nelems, sig_addr, signal, sig_op, pe))                                                 \
  WINDROW_SHMEM_PLAIN_OVERLOAD(int, broadcast, N,                                                           \
                               (shmem_team_t team, T * dest, const T* source, size_t nelems, int PE_root),  \
                               (team, dest, source, nelems, PE_root))                                       \
  WINDROW_SHMEM_PLAIN_OVERLOAD(int, collect, N,                                                             \
                               (shmem_team_t team, T * dest, const T* source, size_t nelems),               \
                               (team, dest, source, nelems))                                                \
  WINDROW_SHMEM_PLAIN_OVERLOAD(int, fcollect, N,                                                            \
                               (shmem_team_t team, T * dest, const T* source, size_t nelems),               \
                               (team, dest, source, nelems))                                                \
  WINDROW_SHMEM_PLAIN_OVERLOAD(int, alltoall, N,                                                            \
                               (shmem_team_t team, T * dest, const T* source, size_t nelems),               \
                               (team, dest, source, nelems))                                                \
  WINDROW_SHMEM_PLAIN_OVERLOAD(                                                                             \
      int, alltoalls, N,                                                                                    \
      (shmem_team_t team, T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems),          \
      (team, dest, source, dst, sst, nelems))
WINDROW_SHMEM_RMA_GENERIC(WINDROW_SHMEM_RMA_OVERLOADS, , )

#define WINDROW_SHMEM_AMO_OVERLOADS(T, N, A, B)                                                             \
  WINDROW_SHMEM_OVERLOADS(T, atomic_compare_swap, N, (T * dest, T cond, T value, int pe),                   \
                          (dest, cond, value, pe))                                                          \
  WINDROW_SHMEM_OVERLOADS(T, atomic_fetch_inc, N, (T * dest, int pe), (dest, pe))                           \
  WINDROW_SHMEM_OVERLOADS(void, atomic_inc, N, (T * dest, int pe), (dest, pe))                              \
  WINDROW_SHMEM_OVERLOADS(T, atomic_fetch_add, N, (T * dest, T value, int pe), (dest, value, pe))           \
  WINDROW_SHMEM_OVERLOADS(void, atomic_add, N, (T * dest, T value, int pe), (dest, value, pe))              \
  WINDROW_SHMEM_OVERLOADS(void, atomic_compare_swap_nbi, N, (T * fetch, T * dest, T cond, T value, int pe), \
                          (fetch, dest, cond, value, pe))                                                   \
  WINDROW_SHMEM_OVERLOADS(void, atomic_fetch_inc_nbi, N, (T * fetch, T * dest, int pe), (fetch, dest, pe))  \
  WINDROW_SHMEM_OVERLOADS(void, atomic_fetch_add_nbi, N, (T * fetch, T * dest, T value, int pe),            \
                          (fetch, dest, value, pe))
#define WINDROW_SHMEM_EXTENDED_AMO_OVERLOADS(T, N, A, B)                                       \
  WINDROW_SHMEM_OVERLOADS(T, atomic_fetch, N, (const T* source, int pe), (source, pe))         \
  WINDROW_SHMEM_OVERLOADS(void, atomic_set, N, (T * dest, T value, int pe), (dest, value, pe)) \
  WINDROW_SHMEM_OVERLOADS(T, atomic_swap, N, (T * dest, T value, int pe), (dest, value, pe))   \
  WINDROW_SHMEM_OVERLOADS(void, atomic_fetch_nbi, N, (T * fetch, const T* source, int pe),     \
                          (fetch, source, pe))                                                 \
  WINDROW_SHMEM_OVERLOADS(void, atomic_swap_nbi, N, (T * fetch, T * dest, T value, int pe),    \
                          (fetch, dest, value, pe))
#define WINDROW_SHMEM_BITWISE_AMO_OVERLOADS(T, N, A, B)                                     \
  WINDROW_SHMEM_BITWISE_OVERLOADS(T, N, atomic_fetch_and, atomic_and, atomic_fetch_and_nbi) \
  WINDROW_SHMEM_BITWISE_OVERLOADS(T, N, atomic_fetch_or, atomic_or, atomic_fetch_or_nbi)    \
  WINDROW_SHMEM_BITWISE_OVERLOADS(T, N, atomic_fetch_xor, atomic_xor, atomic_fetch_xor_nbi)
#define WINDROW_SHMEM_BITWISE_OVERLOADS(T, N, fetching, updating, later)                     \
  WINDROW_SHMEM_OVERLOADS(T, fetching, N, (T * dest, T value, int pe), (dest, value, pe))    \
  WINDROW_SHMEM_OVERLOADS(void, updating, N, (T * dest, T value, int pe), (dest, value, pe)) \
  WINDROW_SHMEM_OVERLOADS(void, later, N, (T * fetch, T * dest, T value, int pe), (fetch, dest, value, pe))
WINDROW_SHMEM_AMO_GENERIC(WINDROW_SHMEM_AMO_OVERLOADS, , )
WINDROW_SHMEM_EXTENDED_AMO_GENERIC(WINDROW_SHMEM_EXTENDED_AMO_OVERLOADS, , )
WINDROW_SHMEM_BITWISE_AMO_GENERIC(WINDROW_SHMEM_BITWISE_AMO_OVERLOADS, , )

#define WINDROW_SHMEM_REDUCE_OVERLOAD(T, N, name, B)                                                        \
  WINDROW_SHMEM_PLAIN_OVERLOAD(int, name, N, (shmem_team_t team, T * dest, const T* source, size_t nelems), \
                               (team, dest, source, nelems))
WINDROW_SHMEM_BITWISE_REDUCE_GENERIC(WINDROW_SHMEM_REDUCE_OVERLOAD, and_reduce, )
WINDROW_SHMEM_BITWISE_REDUCE_GENERIC(WINDROW_SHMEM_REDUCE_OVERLOAD, or_reduce, )
WINDROW_SHMEM_BITWISE_REDUCE_GENERIC(WINDROW_SHMEM_REDUCE_OVERLOAD, xor_reduce, )
WINDROW_SHMEM_ORDERED_REDUCE_GENERIC(WINDROW_SHMEM_REDUCE_OVERLOAD, max_reduce, )
WINDROW_SHMEM_ORDERED_REDUCE_GENERIC(WINDROW_SHMEM_REDUCE_OVERLOAD, min_reduce, )
WINDROW_SHMEM_ARITHMETIC_REDUCE_GENERIC(WINDROW_SHMEM_REDUCE_OVERLOAD, sum_reduce, )
WINDROW_SHMEM_ARITHMETIC_REDUCE_GENERIC(WINDROW_SHMEM_REDUCE_OVERLOAD, prod_reduce, )
WINDROW_SHMEM_ARITHMETIC_REDUCE_GENERIC(WINDROW_SHMEM_REDUCE_OVERLOAD, sum_inscan, )
WINDROW_SHMEM_ARITHMETIC_REDUCE_GENERIC(WINDROW_SHMEM_REDUCE_OVERLOAD, sum_exscan, )

/* C's own complex numbers, which C++ compilers know too and which have the layout of C++'s. */
__extension__ typedef double _Complex windrow_shmem_complexd; /* NOLINT(modernize-use-using) */
__extension__ typedef float _Complex windrow_shmem_complexf;  /* NOLINT(modernize-use-using) */
#define WINDROW_SHMEM_C_COMPLEX(T, N, name, generic)                                              \
  inline int name(shmem_team_t team, windrow_shmem_##N* dest, const windrow_shmem_##N* source,    \
                  size_t nelems) {                                                                \
    return name(team, reinterpret_cast<T*>(dest), reinterpret_cast<const T*>(source), nelems);    \
  }                                                                                               \
  inline int generic(shmem_team_t team, windrow_shmem_##N* dest, const windrow_shmem_##N* source, \
                     size_t nelems) {                                                             \
    return name(team, dest, source, nelems);                                                      \
  }
#define WINDROW_SHMEM_OLD_C_COMPLEX(T, N, op, B)                                                            \
  inline void shmem_##N##op##_to_all(windrow_shmem_##N* dest, const windrow_shmem_##N* source, int nreduce, \
                                     WINDROW_SHMEM_ACTIVE_SET, windrow_shmem_##N* pWrk, long* pSync) {      \
    shmem_##N##op##_to_all(reinterpret_cast<T*>(dest), reinterpret_cast<const T*>(source), nreduce,         \
                           PE_start, logPE_stride, PE_size, reinterpret_cast<T*>(pWrk), pSync);             \
  }
#define WINDROW_SHMEM_C_COMPLEXES(T, N, A, B)                               \
  WINDROW_SHMEM_C_COMPLEX(T, N, shmem_##N##_sum_reduce, shmem_sum_reduce)   \
  WINDROW_SHMEM_C_COMPLEX(T, N, shmem_##N##_prod_reduce, shmem_prod_reduce) \
  WINDROW_SHMEM_C_COMPLEX(T, N, shmem_##N##_sum_inscan, shmem_sum_inscan)   \
  WINDROW_SHMEM_C_COMPLEX(T, N, shmem_##N##_sum_exscan, shmem_sum_exscan)   \
  WINDROW_SHMEM_OLD_C_COMPLEX(T, N, _sum, )                                 \
  WINDROW_SHMEM_OLD_C_COMPLEX(T, N, _prod, )
WINDROW_SHMEM_COMPLEX(WINDROW_SHMEM_C_COMPLEXES, , )

#define WINDROW_SHMEM_SYNC_OVERLOADS(T, N, A, B)                                                        \
  WINDROW_SHMEM_PLAIN_OVERLOAD(void, wait_until, N, (volatile T * ivar, int cmp, T value),              \
                               (ivar, cmp, value))                                                      \
  WINDROW_SHMEM_PLAIN_OVERLOAD(int, test, N, (volatile T * ivar, int cmp, T value), (ivar, cmp, value)) \
  WINDROW_SHMEM_SYNC_ARRAY_OVERLOADS(T, N, void, wait_until_all, wait_until_all_vector)                 \
  WINDROW_SHMEM_SYNC_ARRAY_OVERLOADS(T, N, size_t, wait_until_any, wait_until_any_vector)               \
  WINDROW_SHMEM_SYNC_ARRAY_OVERLOADS(T, N, int, test_all, test_all_vector)                              \
  WINDROW_SHMEM_SYNC_ARRAY_OVERLOADS(T, N, size_t, test_any, test_any_vector)                           \
  WINDROW_SHMEM_SYNC_SOME_OVERLOADS(T, N, wait_until_some, wait_until_some_vector)                      \
  WINDROW_SHMEM_SYNC_SOME_OVERLOADS(T, N, test_some, test_some_vector)
#define WINDROW_SHMEM_SYNC_ARRAY_OVERLOADS(T, N, result, one, vector)                                   \
  WINDROW_SHMEM_PLAIN_OVERLOAD(result, one, N,                                                          \
                               (T * ivars, size_t nelems, const int* status, int cmp, T value),         \
                               (ivars, nelems, status, cmp, value))                                     \
  WINDROW_SHMEM_PLAIN_OVERLOAD(result, vector, N,                                                       \
                               (T * ivars, size_t nelems, const int* status, int cmp, const T* values), \
                               (ivars, nelems, status, cmp, values))
#define WINDROW_SHMEM_SYNC_SOME_OVERLOADS(T, N, one, vector)                                            \
  WINDROW_SHMEM_PLAIN_OVERLOAD(                                                                         \
      size_t, one, N, (T * ivars, size_t nelems, size_t* indices, const int* status, int cmp, T value), \
      (ivars, nelems, indices, status, cmp, value))                                                     \
  WINDROW_SHMEM_PLAIN_OVERLOAD(                                                                         \
      size_t, vector, N,                                                                                \
      (T * ivars, size_t nelems, size_t* indices, const int* status, int cmp, const T* values),         \
      (ivars, nelems, indices, status, cmp, values))
WINDROW_SHMEM_SYNC_GENERIC(WINDROW_SHMEM_SYNC_OVERLOADS, , )

inline void shmem_signal_add(shmem_ctx_t ctx, uint64_t* sig_addr, uint64_t signal, int pe) {
  shmem_ctx_signal_add(ctx, sig_addr, signal, pe);
}
inline void shmem_signal_set(shmem_ctx_t ctx, uint64_t* sig_addr, uint64_t signal, int pe) {
  shmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}

inline int shmem_sync(shmem_team_t team) {
  return shmem_team_sync(team);
}

/* Deprecated. */
#define WINDROW_SHMEM_OLD_AMO_OVERLOADS(T, N, A, B)                                                       \
  WINDROW_SHMEM_PLAIN_OVERLOAD(T, cswap, N, (T * dest, T cond, T value, int pe), (dest, cond, value, pe)) \
  WINDROW_SHMEM_PLAIN_OVERLOAD(T, finc, N, (T * dest, int pe), (dest, pe))                                \
  WINDROW_SHMEM_PLAIN_OVERLOAD(void, inc, N, (T * dest, int pe), (dest, pe))                              \
  WINDROW_SHMEM_PLAIN_OVERLOAD(T, fadd, N, (T * dest, T value, int pe), (dest, value, pe))                \
  WINDROW_SHMEM_PLAIN_OVERLOAD(void, add, N, (T * dest, T value, int pe), (dest, value, pe))
#define WINDROW_SHMEM_OLD_EXTENDED_AMO_OVERLOADS(T, N, A, B)                                 \
  WINDROW_SHMEM_PLAIN_OVERLOAD(T, fetch, N, (const T* source, int pe), (source, pe))         \
  WINDROW_SHMEM_PLAIN_OVERLOAD(void, set, N, (T * dest, T value, int pe), (dest, value, pe)) \
  WINDROW_SHMEM_PLAIN_OVERLOAD(T, swap, N, (T * dest, T value, int pe), (dest, value, pe))
WINDROW_SHMEM_AMO_GENERIC(WINDROW_SHMEM_OLD_AMO_OVERLOADS, , )
WINDROW_SHMEM_EXTENDED_AMO_GENERIC(WINDROW_SHMEM_OLD_EXTENDED_AMO_OVERLOADS, , )

#endif
