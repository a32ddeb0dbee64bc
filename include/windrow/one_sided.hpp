// SPDX-License-Identifier: BSD-3-Clause
// Direct one-sided operations: each one is carried out at once, by load, store or atomic instruction where
// PEs share memory. They need no help from the target, and are atomic with respect to each other and to the
// aggregated operations of a `context`. One thread of a PE at a time. For many small ones use an aggregated
// context, which has the same verbs.
#pragma once

#include <atomic>
#include <span>

#include "windrow/detail/copy.hpp"
#include "windrow/job.hpp"

namespace windrow {

namespace detail {

template <class T>
T* target(const job& j, global_ref<T> at, const char* operation) {
  auto& map = j.map();
  ++map.stats.direct_operations;
  map.stats.direct_bytes += sizeof(T);
  return reinterpret_cast<T*>(map.visit(at.owner(), at.offset(), sizeof(T), operation));
}

/// The same where PEs are known not to be at a distance.
template <class T>
T* near_target(const job& j, global_ref<T> at, const char* operation) {
  auto& map = j.map();
  ++map.stats.direct_operations;
  map.stats.direct_bytes += sizeof(T);
  return reinterpret_cast<T*>(map.address(at.owner(), at.offset(), sizeof(T), operation));
}

template <class T>
std::atomic_ref<T> atomic_target(const job& j, global_ref<T> at, const char* operation) {
  auto* const place = near_target(j, at, operation);
  if (!j.map().plain_atomics.load(std::memory_order_acquire)) [[unlikely]]
    prepare_atomic(j.map(), at.owner());
  return std::atomic_ref<T>(*place);
}

} // namespace detail

/// Stores `value`. Complete at the target when it returns.
template <transferable T>
void put(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  *detail::target(j, at, "put") = value;
}

/// Loads the value.
template <transferable T>
T get(job& j, global_ref<T> at) {
  return *detail::target(j, at, "get");
}

/// Copies a range to consecutive elements of the PE that `at` names.
template <transferable T>
void put(job& j, global_ptr<T> at, std::span<const std::type_identity_t<T>> values) {
  auto& map = j.map();
  auto* to = map.visit(at.owner(), at.offset(), values.size_bytes(), "put");
  ++map.stats.direct_operations;
  map.stats.direct_bytes += values.size_bytes();
  detail::copy_bytes(to, values.data(), values.size_bytes());
}

/// Copies consecutive elements of the PE that `at` names into `values`.
template <transferable T>
void get(job& j, global_ptr<T> at, std::span<T> values) {
  auto& map = j.map();
  const auto* from = map.visit(at.owner(), at.offset(), values.size_bytes(), "get");
  ++map.stats.direct_operations;
  map.stats.direct_bytes += values.size_bytes();
  detail::copy_bytes(values.data(), from, values.size_bytes());
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
  return std::atomic_ref<T>(*detail::target(j, at, "atomic_fetch")).load();
}
template <atomic_value T>
void atomic_set(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::atomic_target(j, at, "atomic_set").store(value);
}
template <atomic_value T>
T fetch_add(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::atomic_target(j, at, "fetch_add").fetch_add(value);
}
template <atomic_value T>
void add(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::atomic_target(j, at, "add").fetch_add(value);
}
template <atomic_value T>
T fetch_inc(job& j, global_ref<T> at) {
  return detail::atomic_target(j, at, "fetch_inc").fetch_add(T{1});
}
template <atomic_value T>
void inc(job& j, global_ref<T> at) {
  detail::atomic_target(j, at, "inc").fetch_add(T{1});
}
template <atomic_integer T>
T fetch_and(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::atomic_target(j, at, "fetch_and").fetch_and(value);
}
template <atomic_integer T>
void bit_and(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::atomic_target(j, at, "bit_and").fetch_and(value);
}
template <atomic_integer T>
T fetch_or(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::atomic_target(j, at, "fetch_or").fetch_or(value);
}
template <atomic_integer T>
void bit_or(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::atomic_target(j, at, "bit_or").fetch_or(value);
}
template <atomic_integer T>
T fetch_xor(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::atomic_target(j, at, "fetch_xor").fetch_xor(value);
}
template <atomic_integer T>
void bit_xor(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  detail::atomic_target(j, at, "bit_xor").fetch_xor(value);
}
template <atomic_value T>
T swap(job& j, global_ref<T> at, std::type_identity_t<T> value) {
  return detail::atomic_target(j, at, "swap").exchange(value);
}
/// Stores `desired` if the value is `expected` (bit for bit). Returns the value before.
template <atomic_value T>
T compare_swap(job& j, global_ref<T> at, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  detail::atomic_target(j, at, "compare_swap").compare_exchange_strong(expected, desired);
  return expected;
}

} // namespace windrow
