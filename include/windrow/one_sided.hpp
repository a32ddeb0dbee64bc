// SPDX-License-Identifier: BSD-3-Clause
// Direct one-sided operations: each one is carried out at once, by load, store or atomic instruction where
// PEs share memory. They need no help from the target, and are atomic with respect to each other and to the
// aggregated operations of a `context`. One thread of a PE at a time. For many small ones use an aggregated
// context, which has the same verbs.
#pragma once

#include <atomic>
#include <bit>
#include <span>

#include "windrow/detail/atomic_access.hpp"
#include "windrow/detail/direct.hpp"
#include "windrow/detail/inline.hpp"
#include "windrow/job.hpp"

namespace windrow {

namespace detail {

inline memory_map& count_direct(const job& j, std::size_t bytes) {
  auto& map = j.map();
  ++map.stats.direct_operations;
  map.stats.direct_bytes += bytes;
  return map;
}

/// Where the value is, on this host.
template <class T>
WINDROW_INLINE T* loadable_place(const memory_map& map, global_ref<T> at, const char* operation) {
  const auto from = map.find(at.owner(), at.offset(), sizeof(T));
  auto* const address =
      from.plain ? direct::address(map, from) : map.address(at.owner(), at.offset(), sizeof(T), operation);
  return reinterpret_cast<T*>(address);
}
/// Where the value of a direct operation is, on this host.
template <class T>
T* direct_target(const job& j, global_ref<T> at, const char* operation) {
  return reinterpret_cast<T*>(
      count_direct(j, sizeof(T)).address(at.owner(), at.offset(), sizeof(T), operation));
}

// The operations below, which need not be complete when they return.

template <class T>
WINDROW_INLINE void put_direct(const job& j, global_ref<T> at, const T& value, until when) {
  auto& map = count_direct(j, sizeof(T));
  direct::put(map, map.find(at.owner(), at.offset(), sizeof(T)), value, when, "put");
}
template <class T>
WINDROW_INLINE void get_direct(const job& j, global_ref<T> at, T* value, until when) {
  auto& map = count_direct(j, sizeof(T));
  direct::get(map, map.find(at.owner(), at.offset(), sizeof(T)), value, when, {"get"});
}
template <class T>
WINDROW_INLINE void fetch_direct(const job& j, global_ref<T> at, T* value, until when) {
  auto& map = count_direct(j, sizeof(T));
  direct::fetch(map, map.find(at.owner(), at.offset(), sizeof(T)), value, when, {"atomic_fetch"});
}
template <class T>
WINDROW_INLINE void put_direct(const job& j, global_ptr<T> at, std::span<const T> values, until when) {
  auto& map = count_direct(j, values.size_bytes());
  direct::put_bytes(map, map.find(at.owner(), at.offset(), values.size_bytes()), values.data(),
                    values.size_bytes(), when, {"put"});
}
template <class T>
WINDROW_INLINE void get_direct(const job& j, global_ptr<T> at, std::span<T> values, until when) {
  auto& map = count_direct(j, values.size_bytes());
  direct::get_bytes(map, map.find(at.owner(), at.offset(), values.size_bytes()), values.data(),
                    values.size_bytes(), when, {"get"});
}

/// The place of `count` elements, the first one at `at` and every one `stride` behind the one before.
template <class T>
place find_strided(const memory_map& map, global_ptr<T> at, std::ptrdiff_t stride, std::size_t count,
                   const char* operation) {
  const auto [lowest, reach] =
      extent_of(stride_in_bytes(stride, sizeof(T), operation), sizeof(T), count, operation);
  const auto begin = at.offset() + static_cast<std::uint64_t>(lowest);
  return {at.owner(), map.find(at.owner(), begin, reach).plain, at.offset()};
}
template <class T>
strides in_bytes(std::ptrdiff_t to, std::ptrdiff_t from, std::size_t count, const char* operation) {
  return {stride_in_bytes(to, sizeof(T), operation), stride_in_bytes(from, sizeof(T), operation), sizeof(T),
          count};
}
template <class T>
WINDROW_INLINE void put_strided_direct(const job& j, global_ptr<T> at, std::ptrdiff_t to_stride,
                                       const T* values, std::ptrdiff_t from_stride, std::size_t count,
                                       until when) {
  if (count == 0) return;
  auto& map = count_direct(j, count * sizeof(T));
  const auto to = find_strided(map, at, to_stride, count, "put_strided");
  if (!to.plain) [[unlikely]] {
    map.put_strided_slowly(to.pe, to.offset, values,
                           in_bytes<T>(to_stride, from_stride, count, "put_strided"), when, {"put_strided"});
    return direct::stay();
  }
  auto* place = direct::address(map, to);
  for (; count > 0;
       --count, place += to_stride * static_cast<std::ptrdiff_t>(sizeof(T)), values += from_stride)
    direct::store(place, *values);
}
template <class T>
WINDROW_INLINE void get_strided_direct(const job& j, global_ptr<T> at, std::ptrdiff_t from_stride, T* values,
                                       std::ptrdiff_t to_stride, std::size_t count, until when) {
  if (count == 0) return;
  auto& map = count_direct(j, count * sizeof(T));
  const auto from = find_strided(map, at, from_stride, count, "get_strided");
  if (!from.plain) [[unlikely]] {
    map.get_strided_slowly(from.pe, from.offset, values,
                           in_bytes<T>(to_stride, from_stride, count, "get_strided"), when, {"get_strided"});
    return direct::stay();
  }
  const auto* place = direct::address(map, from);
  for (; count > 0;
       --count, place += from_stride * static_cast<std::ptrdiff_t>(sizeof(T)), values += to_stride)
    *values = direct::load<T>(place);
}

// Inlined, as `operate` is: the place would be handed over in memory, and read before it is there.
template <verb V, class T, class... Operands>
WINDROW_INLINE T change(const job& j, global_ref<T> at, Operands... operands) {
  auto& map = count_direct(j, sizeof(T));
  return direct::change<std::memory_order_seq_cst, V, T>(map, map.find(at.owner(), at.offset(), sizeof(T)),
                                                         {name_of(V)}, operands...);
}
template <verb V, class T, class... Operands>
WINDROW_INLINE void begin_change(const job& j, global_ref<T> at, T* before, Operands... operands) {
  auto& map = count_direct(j, sizeof(T));
  direct::begin_change<std::memory_order_seq_cst, V, T>(map, map.find(at.owner(), at.offset(), sizeof(T)),
                                                        before, {name_of(V)}, operands...);
}

} // namespace detail

/// Stores `value`. Complete at the target when it returns.
template <transferable T>
WINDROW_INLINE void put(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::put_direct(j, at, value, detail::until::complete);
}

/// Loads the value.
template <transferable T>
WINDROW_INLINE T get(job& j, global_ref<T> at) {
  auto& map = detail::count_direct(j, sizeof(T));
  return detail::direct::get<T>(map, map.find(at.owner(), at.offset(), sizeof(T)), {"get"});
}

/// Copies a range to consecutive elements of the PE that `at` names.
template <transferable T>
WINDROW_INLINE void put(job& j, global_ptr<T> at, std::span<const std::type_identity_t<T>> values) {
  detail::put_direct(j, at, values, detail::until::complete);
}

/// Copies consecutive elements of the PE that `at` names into `values`.
template <transferable T>
WINDROW_INLINE void get(job& j, global_ptr<T> at, std::span<std::type_identity_t<T>> values) {
  detail::get_direct(j, at, values, detail::until::complete);
}

/// Copies `count` elements, every `from_stride`-th of `values`, to every `to_stride`-th place from `at` on.
template <transferable T>
WINDROW_INLINE void put_strided(job& j, global_ptr<T> at, std::ptrdiff_t to_stride, const T* values,
                                std::ptrdiff_t from_stride, std::size_t count) {
  detail::put_strided_direct(j, at, to_stride, values, from_stride, count, detail::until::complete);
}

/// Copies `count` elements, every `from_stride`-th from `at` on, to every `to_stride`-th place of `values`.
template <transferable T>
WINDROW_INLINE void get_strided(job& j, global_ptr<T> at, std::ptrdiff_t from_stride, T* values,
                                std::ptrdiff_t to_stride, std::size_t count) {
  detail::get_strided_direct(j, at, from_stride, values, to_stride, count, detail::until::complete);
}

// Atomic operations. The fetching ones return the value before. Sequentially consistent.

template <atomic_value T>
WINDROW_INLINE T atomic_fetch(job& j, global_ref<T> at) {
  auto& map = detail::count_direct(j, sizeof(T));
  return detail::direct::fetch<T>(map, map.find(at.owner(), at.offset(), sizeof(T)), {"atomic_fetch"});
}
template <atomic_value T>
WINDROW_INLINE void atomic_set(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::verb::put>(j, at, value);
}
template <atomic_value T>
WINDROW_INLINE T fetch_add(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::verb::fetch_add>(j, at, value);
}
template <atomic_value T>
WINDROW_INLINE void add(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::verb::add>(j, at, value);
}
template <atomic_value T>
WINDROW_INLINE T fetch_inc(job& j, global_ref<T> at) {
  return detail::change<detail::verb::fetch_inc>(j, at);
}
template <atomic_value T>
WINDROW_INLINE void inc(job& j, global_ref<T> at) {
  detail::change<detail::verb::inc>(j, at);
}
template <atomic_integer T>
WINDROW_INLINE T fetch_and(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::verb::fetch_and>(j, at, value);
}
template <atomic_integer T>
WINDROW_INLINE void bit_and(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::verb::bit_and>(j, at, value);
}
template <atomic_integer T>
WINDROW_INLINE T fetch_or(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::verb::fetch_or>(j, at, value);
}
template <atomic_integer T>
WINDROW_INLINE void bit_or(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::verb::bit_or>(j, at, value);
}
template <atomic_integer T>
WINDROW_INLINE T fetch_xor(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::verb::fetch_xor>(j, at, value);
}
template <atomic_integer T>
WINDROW_INLINE void bit_xor(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::verb::bit_xor>(j, at, value);
}
template <atomic_value T>
WINDROW_INLINE T swap(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::verb::swap>(j, at, value);
}
/// Stores `desired` if the value is `expected` (bit for bit). Returns the value before.
template <atomic_value T>
WINDROW_INLINE T compare_swap(job& j, global_ref<T> at, std::type_identity_t<T> expected,
                              std::type_identity_t<T> desired) {
  return detail::change<detail::verb::compare_swap>(j, at, expected, desired);
}

/// Stores `value` if it is less than what is there. Returns the value before.
template <atomic_value T>
WINDROW_INLINE T fetch_min(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::fetch_min_of<T>>(j, at, value);
}
template <atomic_value T>
WINDROW_INLINE void min(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::min_of<T>>(j, at, value);
}
/// Stores `value` if it is greater than what is there. Returns the value before.
template <atomic_value T>
WINDROW_INLINE T fetch_max(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::fetch_max_of<T>>(j, at, value);
}
template <atomic_value T>
WINDROW_INLINE void max(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::max_of<T>>(j, at, value);
}

namespace detail {

/// Any verb. Returns the value before.
template <verb V, class T, class... Operands>
WINDROW_INLINE T operate(job& j, global_ref<T> at, Operands... operands) {
  if constexpr (V != verb::fetch)
    return change<V>(j, at, operands...);
  else if constexpr (atomic_value<T>)
    return windrow::atomic_fetch(j, at);
  else
    return windrow::get(j, at);
}

} // namespace detail

} // namespace windrow
