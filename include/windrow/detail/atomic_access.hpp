// SPDX-License-Identifier: BSD-3-Clause
// What the operations do to a place that others change too, with atomic instructions. Each returns the
// value before.
#pragma once

#include <atomic>

#include "windrow/detail/verbs.hpp"

namespace windrow::detail {

template <std::memory_order Order>
struct atomic_access : all_verbs<atomic_access<Order>> {
  template <verb V, class T>
  static T change(T& place, T operand) {
    std::atomic_ref<T> at(place);
    if constexpr (V == verb::put)
      return at.store(operand, Order == std::memory_order_acq_rel ? std::memory_order_release : Order), T{};
    else if constexpr (V == verb::swap)
      return at.exchange(operand, Order);
    else if constexpr (V == verb::bit_and || V == verb::fetch_and)
      return at.fetch_and(operand, Order);
    else if constexpr (V == verb::bit_or || V == verb::fetch_or)
      return at.fetch_or(operand, Order);
    else if constexpr (V == verb::bit_xor || V == verb::fetch_xor)
      return at.fetch_xor(operand, Order);
    else if constexpr (is_min(V) || is_max(V))
      return replace<V, T>(at, operand);
    else
      return at.fetch_add(V == verb::inc || V == verb::fetch_inc ? T{1} : operand, Order);
  }
  template <class T>
  static T compare_swap(T& place, T expected, T desired) {
    std::atomic_ref<T>(place).compare_exchange_strong(expected, desired, Order);
    return expected;
  }
  template <class T>
  static T load(T& place) {
    return load(std::atomic_ref<T>(place));
  }

 private:
  template <class T>
  static T load(std::atomic_ref<T> at) {
    return at.load(Order == std::memory_order_acq_rel ? std::memory_order_acquire : Order);
  }
  // Looks first, so that what is no new extreme costs a load only.
  template <verb V, class T>
  static T replace(std::atomic_ref<T> at, T operand) {
    T old = load(at);
    while (replaces<V>(operand, old) && !at.compare_exchange_weak(old, operand, Order)) {
    }
    return old;
  }
};

/// How direct operations are carried out.
using direct_access = atomic_access<std::memory_order_seq_cst>;

} // namespace windrow::detail
