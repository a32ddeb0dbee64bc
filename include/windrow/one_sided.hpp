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
#include "windrow/detail/copy.hpp"
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

/// Where the value is, at whatever distance, on this host.
template <class T>
T* near_place(const memory_map& map, global_ref<T> at, const char* operation) {
  return reinterpret_cast<T*>(map.address(at.owner(), at.offset(), sizeof(T), operation));
}
/// The same, of a direct operation.
template <class T>
T* near_target(const job& j, global_ref<T> at, const char* operation) {
  return reinterpret_cast<T*>(
      count_direct(j, sizeof(T)).address(at.owner(), at.offset(), sizeof(T), operation));
}

/// Calls `copy(k)` for the elements of a strided range, which strides multiply.
template <class Copy>
void for_strided(std::size_t count, Copy copy) {
  for (std::size_t i = 0; i < count; ++i) copy(static_cast<std::ptrdiff_t>(i));
}

// Inlined, as `operate` is: the place would be handed over in memory, and read before it is there.
template <verb V, class T, class... Operands>
WINDROW_INLINE T change(const job& j, global_ref<T> at, Operands... operands) {
  auto* const place = near_target(j, at, name_of(V));
  if (!j.map().plain_atomics.load(std::memory_order_acquire)) [[unlikely]] {
    std::uint64_t before = 0;
    if (change_elsewhere(j.map(), at.owner(), at.offset(), change_of<V, T>(operands...), before))
      return from_bits<T>(before);
  }
  return direct_access::apply<V>(*place, operands...);
}

} // namespace detail

/// Stores `value`. Complete at the target when it returns.
template <transferable T>
void put(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  auto& map = detail::count_direct(j, sizeof(T));
  if (!map.is_plain(at.owner(), at.offset(), sizeof(T))) [[unlikely]]
    return map.put_slowly(at.owner(), at.offset(), &value, sizeof(T), "put");
  *reinterpret_cast<T*>(map.segment(at.owner()) + at.offset()) = value;
}

/// Loads the value.
template <transferable T>
T get(job& j, global_ref<T> at) {
  auto& map = detail::count_direct(j, sizeof(T));
  if (!map.is_plain(at.owner(), at.offset(), sizeof(T))) [[unlikely]] {
    alignas(T) std::byte value[sizeof(T)];
    map.get_slowly(at.owner(), at.offset(), value, sizeof(T), "get");
    return std::bit_cast<T>(value);
  }
  return *reinterpret_cast<T*>(map.segment(at.owner()) + at.offset());
}

/// Copies a range to consecutive elements of the PE that `at` names.
template <transferable T>
void put(job& j, global_ptr<T> at, std::span<const std::type_identity_t<T>> values) {
  auto& map = detail::count_direct(j, values.size_bytes());
  if (!map.is_plain(at.owner(), at.offset(), values.size_bytes())) [[unlikely]]
    return map.put_slowly(at.owner(), at.offset(), values.data(), values.size_bytes(), "put");
  detail::copy_bytes(map.segment(at.owner()) + at.offset(), values.data(), values.size_bytes());
}

/// Copies consecutive elements of the PE that `at` names into `values`.
template <transferable T>
void get(job& j, global_ptr<T> at, std::span<T> values) {
  auto& map = detail::count_direct(j, values.size_bytes());
  if (!map.is_plain(at.owner(), at.offset(), values.size_bytes())) [[unlikely]]
    return map.get_slowly(at.owner(), at.offset(), values.data(), values.size_bytes(), "get");
  detail::copy_bytes(values.data(), map.segment(at.owner()) + at.offset(), values.size_bytes());
}

/// Copies `count` elements, every `from_stride`-th of `values`, to every `to_stride`-th place from `at` on.
template <transferable T>
void put_strided(job& j, global_ptr<T> at, std::ptrdiff_t to_stride, const T* values,
                 std::ptrdiff_t from_stride, std::size_t count) {
  detail::for_strided(count, [&](std::ptrdiff_t k) { put(j, at[k * to_stride], values[k * from_stride]); });
}

/// Copies `count` elements, every `from_stride`-th from `at` on, to every `to_stride`-th place of `values`.
template <transferable T>
void get_strided(job& j, global_ptr<T> at, std::ptrdiff_t from_stride, T* values, std::ptrdiff_t to_stride,
                 std::size_t count) {
  detail::for_strided(count, [&](std::ptrdiff_t k) { values[k * to_stride] = get(j, at[k * from_stride]); });
}

// Atomic operations. The fetching ones return the value before. Sequentially consistent.

template <atomic_value T>
T atomic_fetch(job& j, global_ref<T> at) {
  auto& map = detail::count_direct(j, sizeof(T));
  if (!map.is_plain(at.owner(), at.offset(), sizeof(T))) [[unlikely]] {
    T value;
    map.get_slowly(at.owner(), at.offset(), &value, sizeof(T), "atomic_fetch");
    return value;
  }
  return std::atomic_ref<T>(*reinterpret_cast<T*>(map.segment(at.owner()) + at.offset())).load();
}
template <atomic_value T>
void atomic_set(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::verb::put>(j, at, value);
}
template <atomic_value T>
T fetch_add(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::verb::fetch_add>(j, at, value);
}
template <atomic_value T>
void add(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::verb::add>(j, at, value);
}
template <atomic_value T>
T fetch_inc(job& j, global_ref<T> at) {
  return detail::change<detail::verb::fetch_inc>(j, at);
}
template <atomic_value T>
void inc(job& j, global_ref<T> at) {
  detail::change<detail::verb::inc>(j, at);
}
template <atomic_integer T>
T fetch_and(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::verb::fetch_and>(j, at, value);
}
template <atomic_integer T>
void bit_and(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::verb::bit_and>(j, at, value);
}
template <atomic_integer T>
T fetch_or(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::verb::fetch_or>(j, at, value);
}
template <atomic_integer T>
void bit_or(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::verb::bit_or>(j, at, value);
}
template <atomic_integer T>
T fetch_xor(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::verb::fetch_xor>(j, at, value);
}
template <atomic_integer T>
void bit_xor(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::verb::bit_xor>(j, at, value);
}
template <atomic_value T>
T swap(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::verb::swap>(j, at, value);
}
/// Stores `desired` if the value is `expected` (bit for bit). Returns the value before.
template <atomic_value T>
T compare_swap(job& j, global_ref<T> at, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  return detail::change<detail::verb::compare_swap>(j, at, expected, desired);
}

/// Stores `value` if it is less than what is there. Returns the value before.
template <atomic_value T>
T fetch_min(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::fetch_min_of<T>>(j, at, value);
}
template <atomic_value T>
void min(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::min_of<T>>(j, at, value);
}
/// Stores `value` if it is greater than what is there. Returns the value before.
template <atomic_value T>
T fetch_max(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::fetch_max_of<T>>(j, at, value);
}
template <atomic_value T>
void max(job& j, global_ref<T> at, std::type_identity_t<T> value) {
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
