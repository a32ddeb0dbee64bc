// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "windrow/detail/verbs.hpp"

namespace windrow::detail {

/// An operation on a value of another PE, in a form that can travel to another host.
struct atomic_change {
  verb what;
  std::uint32_t carrier; ///< the number of what the value is treated as
  std::uint64_t operand;
  std::uint64_t expected; ///< of compare_swap
};

/// The size of the value.
constexpr std::size_t bytes_of(const atomic_change& c) {
  return c.carrier == carrier_number<float>    ? sizeof(float)
         : c.carrier == carrier_number<double> ? sizeof(double)
                                               : std::size_t{1} << c.carrier;
}

/// One of many operations that travel together, and where: of those with at most one operand.
struct placed_change {
  std::uint64_t offset : 48;
  std::uint64_t what : 8;
  std::uint64_t carrier : 8;
  std::uint64_t operand;

  atomic_change change() const {
    return {static_cast<verb>(what), static_cast<std::uint32_t>(carrier), operand, 0};
  }
};
static_assert(sizeof(placed_change) == 16);

/// `change`, which has at most one operand, at `offset`.
constexpr placed_change placed_at(const atomic_change& change, std::uint64_t offset) {
  placed_change made{};
  made.offset = offset & ((std::uint64_t{1} << 48) - 1);
  made.what = static_cast<std::uint8_t>(change.what);
  made.carrier = static_cast<std::uint8_t>(change.carrier);
  made.operand = change.operand;
  return made;
}

template <verb V, class T>
constexpr atomic_change change_of() {
  return {V, carrier_number<carrier<T>>, 0, 0};
}
template <verb V, class T>
constexpr atomic_change change_of(T operand) {
  return {V, carrier_number<carrier<T>>, to_bits(operand), 0};
}
template <verb V, class T>
constexpr atomic_change change_of(T expected, T desired) {
  return {V, carrier_number<carrier<T>>, to_bits(desired), to_bits(expected)};
}

} // namespace windrow::detail
