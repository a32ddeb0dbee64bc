// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/atomics.hpp"

#include "shmem/define.hpp"

using namespace windrow::shmem; // everything below is the C interface

#define STANDARD(T, N, A, B)                                                                                 \
  SHMEM_BOTH(T, N##_atomic_compare_swap, fetch<verb::compare_swap>(on, dest, pe, LAZY_CALL, cond, value),    \
             T* dest, T cond, T value, int pe)                                                               \
  SHMEM_BOTH(T, N##_atomic_fetch_inc, fetch<verb::fetch_inc>(on, dest, pe, LAZY_CALL), T* dest, int pe)      \
  SHMEM_BOTH(void, N##_atomic_inc, update<verb::inc>(on, dest, pe, LAZY_CALL), T* dest, int pe)              \
  SHMEM_BOTH(T, N##_atomic_fetch_add, fetch<verb::fetch_add>(on, dest, pe, LAZY_CALL, value), T* dest,       \
             T value, int pe)                                                                                \
  SHMEM_BOTH(void, N##_atomic_add, update<verb::add>(on, dest, pe, LAZY_CALL, value), T* dest, T value,      \
             int pe)                                                                                         \
  SHMEM_BOTH(void, N##_atomic_compare_swap_nbi,                                                              \
             fetch_later<verb::compare_swap>(on, fetched, dest, pe, LAZY_CALL, cond, value), T* fetched,     \
             T* dest, T cond, T value, int pe)                                                               \
  SHMEM_BOTH(void, N##_atomic_fetch_inc_nbi, fetch_later<verb::fetch_inc>(on, fetched, dest, pe, LAZY_CALL), \
             T* fetched, T* dest, int pe)                                                                    \
  SHMEM_BOTH(void, N##_atomic_fetch_add_nbi,                                                                 \
             fetch_later<verb::fetch_add>(on, fetched, dest, pe, LAZY_CALL, value), T* fetched, T* dest,     \
             T value, int pe)

#define EXTENDED(T, N, A, B)                                                                              \
  SHMEM_BOTH(T, N##_atomic_fetch, load(on, source, pe, LAZY_CALL), const T* source, int pe)               \
  SHMEM_BOTH(void, N##_atomic_set, update<verb::put>(on, dest, pe, LAZY_CALL, value), T* dest, T value,   \
             int pe)                                                                                      \
  SHMEM_BOTH(T, N##_atomic_swap, fetch<verb::swap>(on, dest, pe, LAZY_CALL, value), T* dest, T value,     \
             int pe)                                                                                      \
  SHMEM_BOTH(void, N##_atomic_fetch_nbi, get(on, fetched, source, 1, pe, until::begun, LAZY_CALL),        \
             T* fetched, const T* source, int pe)                                                         \
  SHMEM_BOTH(void, N##_atomic_swap_nbi, fetch_later<verb::swap>(on, fetched, dest, pe, LAZY_CALL, value), \
             T* fetched, T* dest, T value, int pe)

#define BITWISE(T, N, A, B)                         \
  BITWISE_OPERATION(T, N, _and, bit_and, fetch_and) \
  BITWISE_OPERATION(T, N, _or, bit_or, fetch_or)    \
  BITWISE_OPERATION(T, N, _xor, bit_xor, fetch_xor)
#define BITWISE_OPERATION(T, N, op, changing, fetching)                                                      \
  SHMEM_BOTH(T, N##_atomic_fetch##op, fetch<verb::fetching>(on, dest, pe, LAZY_CALL, value), T* dest,        \
             T value, int pe)                                                                                \
  SHMEM_BOTH(void, N##_atomic##op, update<verb::changing>(on, dest, pe, LAZY_CALL, value), T* dest, T value, \
             int pe)                                                                                         \
  SHMEM_BOTH(void, N##_atomic_fetch##op##_nbi,                                                               \
             fetch_later<verb::fetching>(on, fetched, dest, pe, LAZY_CALL, value), T* fetched, T* dest,      \
             T value, int pe)

WINDROW_SHMEM_AMO_TYPES(STANDARD, , )
WINDROW_SHMEM_EXTENDED_AMO_TYPES(EXTENDED, , )
WINDROW_SHMEM_BITWISE_AMO_TYPES(BITWISE, , )

// Deprecated names.

#define OLD(T, N, A, B)                                                             \
  SHMEM_FUNCTION(T, shmem_##N##_cswap, (T * dest, T cond, T value, int pe)) {       \
    return fetch<verb::compare_swap>(everyone(), dest, pe, LAZY_CALL, cond, value); \
  }                                                                                 \
  SHMEM_FUNCTION(T, shmem_##N##_finc, (T * dest, int pe)) {                         \
    return fetch<verb::fetch_inc>(everyone(), dest, pe, LAZY_CALL);                 \
  }                                                                                 \
  SHMEM_FUNCTION(void, shmem_##N##_inc, (T * dest, int pe)) {                       \
    update<verb::inc>(everyone(), dest, pe, LAZY_CALL);                             \
  }                                                                                 \
  SHMEM_FUNCTION(T, shmem_##N##_fadd, (T * dest, T value, int pe)) {                \
    return fetch<verb::fetch_add>(everyone(), dest, pe, LAZY_CALL, value);          \
  }                                                                                 \
  SHMEM_FUNCTION(void, shmem_##N##_add, (T * dest, T value, int pe)) {              \
    update<verb::add>(everyone(), dest, pe, LAZY_CALL, value);                      \
  }
#define OLD_EXTENDED(T, N, A, B)                                       \
  SHMEM_FUNCTION(T, shmem_##N##_fetch, (const T* source, int pe)) {    \
    return load(everyone(), source, pe, LAZY_CALL);                    \
  }                                                                    \
  SHMEM_FUNCTION(void, shmem_##N##_set, (T * dest, T value, int pe)) { \
    update<verb::put>(everyone(), dest, pe, LAZY_CALL, value);         \
  }                                                                    \
  SHMEM_FUNCTION(T, shmem_##N##_swap, (T * dest, T value, int pe)) {   \
    return fetch<verb::swap>(everyone(), dest, pe, LAZY_CALL, value);  \
  }
WINDROW_SHMEM_AMO_TYPES(OLD, , )
WINDROW_SHMEM_EXTENDED_AMO_TYPES(OLD_EXTENDED, , )

SHMEM_FUNCTION(long, shmem_swap, (long* dest, long value, int pe)) {
  return fetch<verb::swap>(everyone(), dest, pe, LAZY_CALL, value);
}

#undef STANDARD
#undef EXTENDED
#undef BITWISE
