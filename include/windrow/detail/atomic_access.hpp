// SPDX-License-Identifier: BSD-3-Clause
// What the operations do to a place that others change too, with atomic instructions. Each returns the
// value before.
#pragma once

#include <atomic>

#include "windrow/detail/operations.hpp"

namespace windrow::aggregation {

struct atomic_access : all_verbs<atomic_access> {
  template <verb V, class T>
  static T change(T& place, T operand) {
    std::atomic_ref<T> at(place);
    if constexpr (V == verb::put)
      return at.store(operand, std::memory_order_relaxed), T{};
    else if constexpr (V == verb::swap)
      return at.exchange(operand, std::memory_order_relaxed);
    else if constexpr (V == verb::bit_and || V == verb::fetch_and)
      return at.fetch_and(operand, std::memory_order_relaxed);
    else if constexpr (V == verb::bit_or || V == verb::fetch_or)
      return at.fetch_or(operand, std::memory_order_relaxed);
    else if constexpr (V == verb::bit_xor || V == verb::fetch_xor)
      return at.fetch_xor(operand, std::memory_order_relaxed);
    else if constexpr (is_min(V) || is_max(V))
      return replace<V, T>(at, operand);
    else
      return at.fetch_add(V == verb::inc || V == verb::fetch_inc ? T{1} : operand, std::memory_order_relaxed);
  }
  template <class T>
  static T compare_swap(T& place, T expected, T desired) {
    std::atomic_ref<T>(place).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
    return expected;
  }
  template <class T>
  static T load(T& place) {
    return std::atomic_ref<T>(place).load(std::memory_order_relaxed);
  }

 private:
  template <verb V, class T>
  static T replace(std::atomic_ref<T> at, T operand) {
    T old = at.load(std::memory_order_relaxed);
    while (replaces<V>(operand, old) && !at.compare_exchange_weak(old, operand, std::memory_order_relaxed)) {
    }
    return old;
  }
};

} // namespace windrow::aggregation
