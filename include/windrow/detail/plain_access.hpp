// SPDX-License-Identifier: BSD-3-Clause
// What the operations do to a place that nobody else changes meanwhile.
#pragma once

#include "windrow/detail/operations.hpp"

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
  else
    return operand; // put, swap
}

/// Plain instructions. Each returns the value before.
struct plain_access {
  template <verb V, class T>
  static T change(T& place, T operand) {
    const T old = place;
    place = combine<V>(old, operand);
    return old;
  }
  template <class T>
  static T compare_swap(T& place, T expected, T desired) {
    const T old = place;
    if (to_bits(old) == to_bits(expected)) place = desired;
    return old;
  }
  /// Any verb, with the operands that it has.
  template <verb V, class T, class... Operands>
  static T apply(T& place, Operands... operands) {
    if constexpr (V == verb::compare_swap)
      return compare_swap<T>(place, operands...);
    else if constexpr (operands_of(V) == 0)
      return change<V, T>(place, T{});
    else
      return change<V, T>(place, operands...);
  }
};

} // namespace windrow::aggregation
