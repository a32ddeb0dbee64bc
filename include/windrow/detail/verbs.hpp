// SPDX-License-Identifier: BSD-3-Clause
// The operations on one value of another PE. There is one list of them: direct operations, what travels to
// another host, and what travels in blocks are all named by it.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace windrow::detail {

enum class verb : std::uint8_t {
  // one way
  put,
  add,
  inc,
  bit_and,
  bit_or,
  bit_xor,
  min,
  max,
  signed_min,
  signed_max,
  // with the value before as reply
  fetch,
  fetch_add,
  fetch_inc,
  fetch_and,
  fetch_or,
  fetch_xor,
  swap,
  compare_swap,
  fetch_min,
  fetch_max,
  fetch_signed_min,
  fetch_signed_max,
};
inline constexpr unsigned verbs = 22;

constexpr bool replies(verb v) {
  return v >= verb::fetch;
}
constexpr bool is_min(verb v) {
  return v == verb::min || v == verb::fetch_min || v == verb::signed_min || v == verb::fetch_signed_min;
}
constexpr bool is_max(verb v) {
  return v == verb::max || v == verb::fetch_max || v == verb::signed_max || v == verb::fetch_signed_max;
}
constexpr bool is_signed(verb v) {
  return v == verb::signed_min || v == verb::signed_max || v == verb::fetch_signed_min ||
         v == verb::fetch_signed_max;
}
/// The one of two verbs that compares values of this type, which travel as unsigned ones, as they are meant.
template <class T>
constexpr verb by_sign(verb unsigned_or_floating, verb of_signed) {
  return std::is_integral_v<T> && std::is_signed_v<T> ? of_signed : unsigned_or_floating;
}
template <class T>
inline constexpr verb min_of = by_sign<T>(verb::min, verb::signed_min);
template <class T>
inline constexpr verb max_of = by_sign<T>(verb::max, verb::signed_max);
template <class T>
inline constexpr verb fetch_min_of = by_sign<T>(verb::fetch_min, verb::fetch_signed_min);
template <class T>
inline constexpr verb fetch_max_of = by_sign<T>(verb::fetch_max, verb::fetch_signed_max);

/// Whether a minimum or maximum stores `operand` where `old` is.
template <verb V, class T>
constexpr bool replaces(T operand, T old) {
  if constexpr (is_signed(V) && std::is_unsigned_v<T>)
    return replaces<V>(static_cast<std::make_signed_t<T>>(operand), static_cast<std::make_signed_t<T>>(old));
  else
    return is_min(V) ? operand < old : old < operand;
}

/// Operands that accompany the place.
constexpr unsigned operands_of(verb v) {
  switch (v) {
    case verb::inc:
    case verb::fetch:
    case verb::fetch_inc:
      return 0;
    case verb::compare_swap:
      return 2;
    default:
      return 1;
  }
}

/// What `Access`, derived from this, gets for its `load`, `change` and `compare_swap`.
template <class Access>
class all_verbs {
 public:
  /// Any verb, with the operands that it has. Returns the value before.
  template <verb V, class T, class... Operands>
  static T apply(T& place, Operands... operands) {
    if constexpr (V == verb::fetch)
      return Access::load(place);
    else if constexpr (V == verb::compare_swap)
      return Access::template compare_swap<T>(place, operands...);
    else if constexpr (operands_of(V) == 0)
      return Access::template change<V, T>(place, T{});
    else
      return Access::template change<V, T>(place, operands...);
  }

 private:
  all_verbs() = default;
  friend Access;
};

/// What direct operations are called.
constexpr const char* name_of(verb v) {
  constexpr const char* names[verbs] = {"atomic_set",   "add",       "inc",          "bit_and",   "bit_or",
                                        "bit_xor",      "min",       "max",          "min",       "max",
                                        "atomic_fetch", "fetch_add", "fetch_inc",    "fetch_and", "fetch_or",
                                        "fetch_xor",    "swap",      "compare_swap", "fetch_min", "fetch_max",
                                        "fetch_min",    "fetch_max"};
  return names[static_cast<unsigned>(v)];
}

/// Verbs that floating-point values do not have.
template <verb V>
constexpr bool integers_only =
    V == verb::bit_and || V == verb::fetch_and || V == verb::bit_or || V == verb::fetch_or ||
    V == verb::bit_xor || V == verb::fetch_xor || is_signed(V);

/// Unsigned integers as wide as T.
template <class T>
using bits_of =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// The types that values are treated as: unsigned integers by width (two's complement makes signedness
/// irrelevant but for minimum and maximum, which have verbs of their own for signed integers) and the two
/// floating-point types.
template <class T>
using carrier = std::conditional_t<std::is_same_v<T, float> || std::is_same_v<T, double>, T, bits_of<T>>;
inline constexpr unsigned carriers = 6;

template <class T>
inline constexpr std::uint32_t carrier_number = std::is_same_v<T, float>    ? 4
                                                : std::is_same_v<T, double> ? 5
                                                                            : std::countr_zero(sizeof(T));

/// A value's bits, the rest 0.
template <class T>
constexpr std::uint64_t to_bits(T value) {
  return std::bit_cast<bits_of<T>>(value);
}
template <class T>
constexpr T from_bits(std::uint64_t bits) {
  return std::bit_cast<T>(static_cast<bits_of<T>>(bits));
}

} // namespace windrow::detail
