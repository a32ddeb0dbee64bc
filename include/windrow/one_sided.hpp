// SPDX-License-Identifier: BSD-3-Clause
// Direct one-sided operations: each one is carried out at once, by load, store or atomic instruction where
// PEs share memory. They need no help from the target, and are atomic with respect to each other and to the
// aggregated operations of a `context`. One thread of a PE at a time. For many small ones use an aggregated
// context, which has the same verbs.
#pragma once

#include <atomic>
#include <bit>
#include <span>

#include "windrow/detail/copy.hpp"
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
T* near_target(const job& j, global_ref<T> at, const char* operation) {
  return reinterpret_cast<T*>(
      count_direct(j, sizeof(T)).address(at.owner(), at.offset(), sizeof(T), operation));
}

template <change_verb V, class T>
T change(const job& j, global_ref<T> at, const char* operation, T operand, T expected = T{}) {
  auto* const place = near_target(j, at, operation);
  if (!j.map().plain_atomics.load(std::memory_order_acquire)) [[unlikely]] {
    std::uint64_t before = 0;
    if (change_elsewhere(j.map(), at.owner(), at.offset(),
                         {V, change_type_of<T>(), to_bits(operand), to_bits(expected)}, before))
      return from_bits<T>(before);
  }
  return change_here<V>(*place, operand, expected);
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
  for (std::size_t i = 0; i < count; ++i) {
    const auto k = static_cast<std::ptrdiff_t>(i);
    put(j, at[k * to_stride], values[k * from_stride]);
  }
}

/// Copies `count` elements, every `from_stride`-th from `at` on, to every `to_stride`-th place of `values`.
template <transferable T>
void get_strided(job& j, global_ptr<T> at, std::ptrdiff_t from_stride, T* values, std::ptrdiff_t to_stride,
                 std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto k = static_cast<std::ptrdiff_t>(i);
    values[k * to_stride] = get(j, at[k * from_stride]);
  }
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
  detail::change<detail::change_verb::set>(j, at, "atomic_set", value);
}
template <atomic_value T>
T fetch_add(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::change_verb::add>(j, at, "fetch_add", value);
}
template <atomic_value T>
void add(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::change_verb::add>(j, at, "add", value);
}
template <atomic_value T>
T fetch_inc(job& j, global_ref<T> at) {
  return detail::change<detail::change_verb::add>(j, at, "fetch_inc", T{1});
}
template <atomic_value T>
void inc(job& j, global_ref<T> at) {
  detail::change<detail::change_verb::add>(j, at, "inc", T{1});
}
template <atomic_integer T>
T fetch_and(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::change_verb::bit_and>(j, at, "fetch_and", value);
}
template <atomic_integer T>
void bit_and(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::change_verb::bit_and>(j, at, "bit_and", value);
}
template <atomic_integer T>
T fetch_or(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::change_verb::bit_or>(j, at, "fetch_or", value);
}
template <atomic_integer T>
void bit_or(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::change_verb::bit_or>(j, at, "bit_or", value);
}
template <atomic_integer T>
T fetch_xor(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::change_verb::bit_xor>(j, at, "fetch_xor", value);
}
template <atomic_integer T>
void bit_xor(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::change<detail::change_verb::bit_xor>(j, at, "bit_xor", value);
}
template <atomic_value T>
T swap(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::change<detail::change_verb::swap>(j, at, "swap", value);
}
/// Stores `desired` if the value is `expected` (bit for bit). Returns the value before.
template <atomic_value T>
T compare_swap(job& j, global_ref<T> at, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  return detail::change<detail::change_verb::compare_swap>(j, at, "compare_swap", desired, expected);
}

namespace detail {

/// Stores `value` where `replaces(value, what is there)`. Looks first, so that what is no new extreme costs a
/// load only.
template <class T, class Replaces>
T store_extreme(job& j, global_ref<T> at, T value, Replaces replaces) {
  T seen = atomic_fetch(j, at);
  while (replaces(value, seen)) {
    const T before = compare_swap(j, at, seen, value);
    if (to_bits(before) == to_bits(seen)) break;
    seen = before;
  }
  return seen;
}

} // namespace detail

/// Stores `value` if it is less than what is there. Returns the value before.
template <atomic_value T>
T fetch_min(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::store_extreme(j, at, value, [](T a, T b) { return a < b; });
}
template <atomic_value T>
void min(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  fetch_min(j, at, value);
}
/// Stores `value` if it is greater than what is there. Returns the value before.
template <atomic_value T>
T fetch_max(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::store_extreme(j, at, value, [](T a, T b) { return b < a; });
}
template <atomic_value T>
void max(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  fetch_max(j, at, value);
}

} // namespace windrow
