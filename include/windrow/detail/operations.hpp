// SPDX-License-Identifier: BSD-3-Clause
// The built-in operations of the aggregation engine and what each of them puts into a block. A run of equal
// operations names the operation once, in its header; its items hold only what varies.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "windrow/types.hpp"

namespace windrow::aggregation {

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

/// How much of an operation varies within a run. A place is an index in units of the value's size; 32 bits of
/// it reach 32 GiB of 8-byte values, and larger heaps use the wide form.
enum class form : std::uint8_t {
  constant, ///< the place only; the operand, if any, is in the run's header
  varying,  ///< place and operands
  wide,     ///< place in 64 bits, and operands
};
inline constexpr unsigned forms = 3;

/// The types that values are treated as: unsigned integers by width (two's complement makes signedness
/// irrelevant but for minimum and maximum, which have verbs of their own for signed integers) and the two
/// floating-point types.
template <class T>
using carrier = std::conditional_t<
    std::is_same_v<T, float> || std::is_same_v<T, double>, T,
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>>;
inline constexpr unsigned carriers = 6;

template <class Carrier>
inline constexpr unsigned carrier_number =
    std::is_same_v<Carrier, float>    ? 4
    : std::is_same_v<Carrier, double> ? 5
                                      : std::countr_zero(sizeof(Carrier));

/// The number of a kind of run, the same in every PE.
using kind_id = std::uint32_t;

template <verb V, class Carrier>
constexpr kind_id kind_of(form f) {
  return (static_cast<kind_id>(V) * carriers + carrier_number<Carrier>)*forms + static_cast<kind_id>(f);
}
inline constexpr kind_id builtin_kinds = verbs * carriers * forms;

/// A value's bits as the header of a run of constant operands holds them.
template <class Carrier>
constexpr std::uint64_t to_bits(Carrier value) {
  if constexpr (std::is_same_v<Carrier, float>)
    return std::bit_cast<std::uint32_t>(value);
  else if constexpr (std::is_same_v<Carrier, double>)
    return std::bit_cast<std::uint64_t>(value);
  else
    return value;
}
template <class Carrier>
constexpr Carrier from_bits(std::uint64_t bits) {
  if constexpr (std::is_same_v<Carrier, float>)
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else if constexpr (std::is_same_v<Carrier, double>)
    return std::bit_cast<double>(bits);
  else
    return static_cast<Carrier>(bits);
}

// Items of one-way operations are packed: they are only ever read in order.

template <class Index>
struct place_item {
  Index index;
};
template <class Index, class Carrier>
struct __attribute__((packed)) update_item {
  Index index;
  Carrier operand;
};

// Items of fetching operations are at least 8 bytes, because the reply is written over them.

template <class Index>
struct alignas(8) fetch_item {
  Index index;
};
template <class Index, class Carrier, unsigned Operands>
struct alignas(8) fetch_update_item {
  Carrier operand[Operands];
  Index index;
};

template <verb V, form F, class Carrier>
struct item_layout {
  using index = std::conditional_t<F == form::wide, std::uint64_t, std::uint32_t>;
  static constexpr unsigned operands = F == form::constant ? 0 : operands_of(V);
  static constexpr auto make() {
    if constexpr (replies(V) && operands == 0)
      return std::type_identity<fetch_item<index>>{};
    else if constexpr (replies(V))
      return std::type_identity<fetch_update_item<index, Carrier, operands>>{};
    else if constexpr (operands == 0)
      return std::type_identity<place_item<index>>{};
    else
      return std::type_identity<update_item<index, Carrier>>{};
  }
  using type = typename decltype(make())::type;
};
template <verb V, form F, class Carrier>
using item = typename item_layout<V, F, Carrier>::type;

} // namespace windrow::aggregation
