// SPDX-License-Identifier: BSD-3-Clause
// What the operations do to a place that nobody else changes meanwhile.
#pragma once

#include "windrow/detail/operations.hpp"
#include "windrow/detail/thread_sanitizer.hpp"

namespace windrow::aggregation {

template <verb V, class T>
T combine(T old, T operand) {
  if constexpr (V == verb::add || V == verb::fetch_add)
    return static_cast<T>(old + operand);
  else if constexpr (V == verb::inc || V == verb::fetch_inc)
    return static_cast<T>(old + 1);
  else if constexpr (V == verb::bit_and || V == verb::fetch_and)
    return static_cast<T>(old & operand);
  else if constexpr (V == verb::bit_or || V == verb::fetch_or)
    return static_cast<T>(old | operand);
  else if constexpr (V == verb::bit_xor || V == verb::fetch_xor)
    return static_cast<T>(old ^ operand);
  else if constexpr (is_min(V) || is_max(V))
    return replaces<V>(operand, old) ? operand : old;
  else
    return operand; // put, swap
}

/// Plain instructions: other PEs may load the place meanwhile, but nobody else changes it. Each returns the
/// value before.
struct plain_access : all_verbs<plain_access> {
  template <verb V, class T>
  static T change(T& place, T operand) {
    const T old = load(place);
    store(place, combine<V>(old, operand));
    return old;
  }
  template <class T>
  static T compare_swap(T& place, T expected, T desired) {
    const T old = load(place);
    if (to_bits(old) == to_bits(expected)) store(place, desired);
    return old;
  }
  // ThreadSanitizer must be told that such a store and the loads of others are whole. Elsewhere compilers may
  // join load and store into one instruction.
  template <class T>
  static T load(const T& place) {
    T value = T();
    if constexpr (windrow::detail::thread_sanitizer)
      __atomic_load(&place, &value, __ATOMIC_RELAXED);
    else
      value = place;
    return value;
  }

 private:
  template <class T>
  static void store(T& place, T value) {
    if constexpr (windrow::detail::thread_sanitizer)
      __atomic_store(&place, &value, __ATOMIC_RELAXED);
    else
      place = value;
  }
};

} // namespace windrow::aggregation
