// SPDX-License-Identifier: BSD-3-Clause
// The sender's side of the built-in operations: what an item is made of, and which run it fits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "windrow/detail/inline.hpp"
#include "windrow/detail/operations.hpp"

namespace windrow::aggregation {

/// Of items of that form.
template <verb V, class Carrier>
constexpr std::size_t item_bytes(form f) {
  if (f == form::constant) return sizeof(item<V, form::constant, Carrier>);
  return f == form::varying ? sizeof(item<V, form::varying, Carrier>) : sizeof(item<V, form::wide, Carrier>);
}

/// Whether an item with these operands fits a run of constant operands; `run` is a writer or a stretch.
template <verb V, class Run, class... Operands>
bool matches(const Run& run, Operands... operands) {
  if constexpr (operands_of(V) == 0)
    return true;
  else if constexpr (operands_of(V) == 1)
    return ((run.operand == to_bits(operands)) && ...);
  else
    return false;
}

/// Of a run of constant operands.
template <class... Operands>
std::uint64_t operand_bits(Operands... operands) {
  if constexpr (sizeof...(operands) == 1)
    return (to_bits(operands), ...);
  else
    return 0;
}

/// Takes the place of an item from `to`, a writer or a stretch with room, and fills it. Returns the place.
template <verb V, form F, class Carrier, class Run, class... Operands>
WINDROW_INLINE std::byte* store_item(Run& to, std::uint64_t index, Operands... operands) {
  using item_type = item<V, F, Carrier>;
  item_type value{};
  value.index = static_cast<decltype(value.index)>(index);
  if constexpr (item_layout<V, F, Carrier>::operands > 0) {
    if constexpr (replies(V)) {
      unsigned i = 0;
      ((value.operand[i++] = operands), ...);
    } else {
      ((value.operand = operands), ...);
    }
  }
  auto* const place = to.take(sizeof value);
  std::memcpy(place, &value, sizeof value);
  return place;
}

} // namespace windrow::aggregation
