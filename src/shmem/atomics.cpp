// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/atomics.hpp"

#include "shmem/define.hpp"

namespace windrow::shmem::routines {

namespace {

template <class On, class T>
WINDROW_INLINE void atomic_set(On on, routine by, T* dest, T value, int pe) {
  update<verb::put>(on, dest, pe, by, value);
}
template <class On, class T>
WINDROW_INLINE void atomic_inc(On on, routine by, T* dest, int pe) {
  update<verb::inc>(on, dest, pe, by);
}
template <class On, class T>
WINDROW_INLINE void atomic_add(On on, routine by, T* dest, T value, int pe) {
  update<verb::add>(on, dest, pe, by, value);
}
template <class On, class T>
WINDROW_INLINE void atomic_and(On on, routine by, T* dest, T value, int pe) {
  update<verb::bit_and>(on, dest, pe, by, value);
}
template <class On, class T>
WINDROW_INLINE void atomic_or(On on, routine by, T* dest, T value, int pe) {
  update<verb::bit_or>(on, dest, pe, by, value);
}
template <class On, class T>
WINDROW_INLINE void atomic_xor(On on, routine by, T* dest, T value, int pe) {
  update<verb::bit_xor>(on, dest, pe, by, value);
}

template <class On, class T>
WINDROW_INLINE T atomic_fetch(On on, routine by, const T* source, int pe) {
  return fetch_value(on, source, pe, by);
}
template <class On, class T>
WINDROW_INLINE T atomic_swap(On on, routine by, T* dest, T value, int pe) {
  return fetch<verb::swap>(on, dest, pe, by, value);
}
template <class On, class T>
WINDROW_INLINE T atomic_compare_swap(On on, routine by, T* dest, T cond, T value, int pe) {
  return fetch<verb::compare_swap>(on, dest, pe, by, cond, value);
}
template <class On, class T>
WINDROW_INLINE T atomic_fetch_inc(On on, routine by, T* dest, int pe) {
  return fetch<verb::fetch_inc>(on, dest, pe, by);
}
template <class On, class T>
WINDROW_INLINE T atomic_fetch_add(On on, routine by, T* dest, T value, int pe) {
  return fetch<verb::fetch_add>(on, dest, pe, by, value);
}
template <class On, class T>
WINDROW_INLINE T atomic_fetch_and(On on, routine by, T* dest, T value, int pe) {
  return fetch<verb::fetch_and>(on, dest, pe, by, value);
}
template <class On, class T>
WINDROW_INLINE T atomic_fetch_or(On on, routine by, T* dest, T value, int pe) {
  return fetch<verb::fetch_or>(on, dest, pe, by, value);
}
template <class On, class T>
WINDROW_INLINE T atomic_fetch_xor(On on, routine by, T* dest, T value, int pe) {
  return fetch<verb::fetch_xor>(on, dest, pe, by, value);
}

template <class On, class T>
WINDROW_INLINE void atomic_fetch_nbi(On on, routine by, T* out, const T* source, int pe) {
  fetch_value_later(on, out, source, pe, by);
}
template <class On, class T>
WINDROW_INLINE void atomic_swap_nbi(On on, routine by, T* out, T* dest, T value, int pe) {
  fetch_later<verb::swap>(on, out, dest, pe, by, value);
}
template <class On, class T>
WINDROW_INLINE void atomic_compare_swap_nbi(On on, routine by, T* out, T* dest, T cond, T value, int pe) {
  fetch_later<verb::compare_swap>(on, out, dest, pe, by, cond, value);
}
template <class On, class T>
WINDROW_INLINE void atomic_fetch_inc_nbi(On on, routine by, T* out, T* dest, int pe) {
  fetch_later<verb::fetch_inc>(on, out, dest, pe, by);
}
template <class On, class T>
WINDROW_INLINE void atomic_fetch_add_nbi(On on, routine by, T* out, T* dest, T value, int pe) {
  fetch_later<verb::fetch_add>(on, out, dest, pe, by, value);
}
template <class On, class T>
WINDROW_INLINE void atomic_fetch_and_nbi(On on, routine by, T* out, T* dest, T value, int pe) {
  fetch_later<verb::fetch_and>(on, out, dest, pe, by, value);
}
template <class On, class T>
WINDROW_INLINE void atomic_fetch_or_nbi(On on, routine by, T* out, T* dest, T value, int pe) {
  fetch_later<verb::fetch_or>(on, out, dest, pe, by, value);
}
template <class On, class T>
WINDROW_INLINE void atomic_fetch_xor_nbi(On on, routine by, T* out, T* dest, T value, int pe) {
  fetch_later<verb::fetch_xor>(on, out, dest, pe, by, value);
}

} // namespace

} // namespace windrow::shmem::routines

WINDROW_SHMEM_AMO_TYPES(WINDROW_SHMEM_AMO, , )
WINDROW_SHMEM_EXTENDED_AMO_TYPES(WINDROW_SHMEM_EXTENDED_AMO, , )
WINDROW_SHMEM_BITWISE_AMO_TYPES(WINDROW_SHMEM_BITWISE_AMO, , )

// Deprecated names.
WINDROW_SHMEM_AMO_TYPES(WINDROW_SHMEM_OLD_ATOMICS, , )
WINDROW_SHMEM_EXTENDED_AMO_TYPES(WINDROW_SHMEM_OLD_EXTENDED_ATOMICS, , )
SHMEM_FUNCTION(long, shmem_swap, (long* dest, long value, int pe)) {
  return windrow::shmem::routines::atomic_swap(windrow::shmem::everyone(), LAZY_CALL, dest, value, pe);
}
