// SPDX-License-Identifier: BSD-3-Clause
// Atomic memory operations: atomic instructions on the other PE's memory, or items of the aggregation engine.
#pragma once

#include <atomic>

#include "shmem/remote_access.hpp"
#include "windrow/detail/atomic_access.hpp"

namespace windrow::shmem {

using aggregation::verb;

/// Of a PE's own operations; direct ones on one place are in sequence anyway.
inline constexpr auto atomic_order = std::memory_order_acq_rel;

/// Where `place_of` gives the program's own address, atomic instructions must do.
inline void prepare_own(int pe) {
  if constexpr (detail::thread_sanitizer)
    if (hot.map != nullptr && hot.map->is_plain(pe)) detail::announce_atomics(*hot.map);
}

// What is not in the heap, or not plain, is apart, so that the usual case calls nothing.

template <verb V, class T, class... Operands>
[[gnu::noinline]] void begin_anywhere(T* dest, T* before, int pe, caller by, Operands... operands) {
  prepare_own(pe);
  direct::begin_change<atomic_order, V, T>(*hot.map, place_of(dest, sizeof(T), pe, by.operation), before, by,
                                           operands...);
}
/// Complete at quiet; then the value before is at `*before`, unless that is null.
template <verb V, class T, class... Operands>
WINDROW_INLINE void begin_change(T* dest, T* before, int pe, routine by, Operands... operands) {
  const auto at = place_in_heap(dest, pe);
  if (!direct::is_plain_atomic(*hot.map, at)) [[unlikely]]
    return begin_anywhere<V>(dest, before, pe, by.called(), operands...);
  const T old = direct::apply<atomic_order, V, T>(*hot.map, at, operands...);
  if (before != nullptr) *before = old;
}

template <verb V, class On, class T, class... Operands>
WINDROW_INLINE void update(On on, T* dest, int pe, routine by, Operands... operands) {
  const int target = on.job_pe(pe, by.name);
  if (on.aggregated()) return append<V>(dest, static_cast<T*>(nullptr), target, by.name, operands...);
  begin_change<V>(dest, static_cast<T*>(nullptr), target, by, operands...);
}
template <verb V, class On, class T, class... Operands>
WINDROW_INLINE void fetch_later(On on, T* out, T* dest, int pe, routine by, Operands... operands) {
  const int target = on.job_pe(pe, by.name);
  require_local(out, sizeof(T), local_use::write, "fetch", by.name);
  if (on.aggregated()) return append<V>(dest, out, target, by.name, operands...);
  polled();
  begin_change<V>(dest, out, target, by, operands...);
}

template <verb V, class T, class... Operands>
[[gnu::noinline]] T fetch_anywhere(T* dest, int pe, caller by, Operands... operands) {
  prepare_own(pe);
  return direct::change<atomic_order, V, T>(*hot.map, place_of(dest, sizeof(T), pe, by.operation), by,
                                            operands...);
}
template <verb V, class T, class... Operands>
[[gnu::noinline]] T fetch_anywhere_polled(T* dest, int pe, caller by, Operands... operands) {
  return polled(fetch_anywhere<V>(dest, pe, by, operands...));
}
/// The value is needed now, so a context that aggregates makes no difference.
template <verb V, class On, class T, class... Operands>
WINDROW_INLINE T fetch(On on, T* dest, int pe, routine by, Operands... operands) {
  const int target = on.job_pe(pe, by.name);
  if (!is_plain_in_heap(dest, target)) [[unlikely]]
    return fetch_anywhere_polled<V>(dest, target, by.called(), operands...);
  const auto at = place_in_heap(dest, target);
  if (!direct::is_plain_atomic(*hot.map, at)) [[unlikely]]
    return fetch_anywhere_polled<V>(dest, target, by.called(), operands...);
  return polled(direct::apply<atomic_order, V, T>(*hot.map, at, operands...));
}

template <class T>
[[gnu::noinline]] T fetch_value_anywhere(const T* source, int pe, caller by) {
  return polled(direct::fetch<T>(*hot.map, place_of(source, sizeof(T), pe, by.operation), by));
}
/// As `load`; but what is kept leaves, as with all atomic operations.
template <class On, class T>
WINDROW_INLINE T fetch_value(On on, const T* source, int pe, routine by) {
  return load_by<fetch_value_anywhere<T>>(on, source, pe, by);
}
template <class On, class T>
WINDROW_INLINE void fetch_value_later(On on, T* out, const T* source, int pe, routine by) {
  if (!on.aggregated() && !is_plain_in_heap(source, on.job_pe(pe, by.name))) [[unlikely]] {
    require_running(by.name);
    hot.map->settle();
  }
  get(on, out, source, 1, pe, until::begun, by);
}

} // namespace windrow::shmem
