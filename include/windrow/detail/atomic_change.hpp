// SPDX-License-Identifier: BSD-3-Clause
// Atomic operations in a form that can travel to another host.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "windrow/types.hpp"

namespace windrow::detail {

enum class change_verb : std::uint32_t { set, add, bit_and, bit_or, bit_xor, swap, compare_swap };
/// Integers by their width: the bits of a result do not depend on the sign.
enum class change_type : std::uint32_t { bytes_1, bytes_2, bytes_4, bytes_8, float_4, float_8 };

template <atomic_value T>
constexpr change_type change_type_of() {
  if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? change_type::float_4 : change_type::float_8;
  else
    return static_cast<change_type>(std::countr_zero(sizeof(T)));
}

/// The bytes of a value, the rest 0.
template <class T>
std::uint64_t to_bits(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Carries the operation out on memory of this host. Returns the value before. Sequentially consistent.
template <change_verb V, atomic_value T>
T change_here(T& place, T operand, T expected = T{}) {
  const std::atomic_ref<T> at(place);
  if constexpr (V == change_verb::set)
    return at.store(operand), T{};
  else if constexpr (V == change_verb::swap)
    return at.exchange(operand);
  else if constexpr (V == change_verb::add)
    return at.fetch_add(operand);
  else if constexpr (V == change_verb::bit_and)
    return at.fetch_and(operand);
  else if constexpr (V == change_verb::bit_or)
    return at.fetch_or(operand);
  else if constexpr (V == change_verb::bit_xor)
    return at.fetch_xor(operand);
  else
    return at.compare_exchange_strong(expected, operand), expected;
}

/// An operation on a value of another PE.
struct atomic_change {
  change_verb verb;
  change_type type;
  std::uint64_t operand;
  std::uint64_t expected; ///< of compare_swap
};

} // namespace windrow::detail
