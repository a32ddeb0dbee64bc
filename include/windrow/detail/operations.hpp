// SPDX-License-Identifier: BSD-3-Clause
// The built-in operations of the aggregation engine and what each of them puts into a block. A run of equal
// operations names the operation once, in its header; its items hold only what varies.
#pragma once

#include <cstdint>
#include <type_traits>

#include "windrow/detail/verbs.hpp"

namespace windrow::aggregation {

using detail::all_verbs;
using detail::carrier;
using detail::carrier_number;
using detail::carriers;
using detail::fetch_max_of;
using detail::fetch_min_of;
using detail::from_bits;
using detail::integers_only;
using detail::is_max;
using detail::is_min;
using detail::is_signed;
using detail::max_of;
using detail::min_of;
using detail::operands_of;
using detail::replaces;
using detail::replies;
using detail::to_bits;
using detail::verb;
using detail::verbs;

/// How much of an operation varies within a run. A place is an index in units of the value's size; 32 bits of
/// it reach 32 GiB of 8-byte values, and larger heaps use the wide form.
enum class form : std::uint8_t {
  constant, ///< the place only; the operand, if any, is in the run's header
  varying,  ///< place and operands
  wide,     ///< place in 64 bits, and operands
};
inline constexpr unsigned forms = 3;

/// The number of a kind of run, the same in every PE.
using kind_id = std::uint32_t;

template <verb V, class Carrier>
constexpr kind_id kind_of(form f) {
  return (static_cast<kind_id>(V) * carriers + carrier_number<Carrier>)*forms + static_cast<kind_id>(f);
}
/// Ranges that are fetched (detail/range_fetch.hpp).
inline constexpr kind_id range_kind = verbs * carriers * forms;
inline constexpr kind_id builtin_kinds = range_kind + 1;

inline constexpr kind_id no_kind = ~kind_id{0} - 2;
/// The kind whose runs are not open together with those of `kind`, so that items of both keep their order:
/// the other form of a fetching operation, whose reply tells which came first. `no_kind` if there is none.
constexpr kind_id other_form(kind_id kind) {
  constexpr auto varying = static_cast<kind_id>(form::varying);
  const auto v = static_cast<verb>(kind / forms / carriers);
  const auto f = kind % forms;
  if (kind >= range_kind || f > varying || operands_of(v) != 1 || !replies(v)) return no_kind;
  return kind - f + (varying - f);
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
