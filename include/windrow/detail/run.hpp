// SPDX-License-Identifier: BSD-3-Clause
// What a block holds, as those see it who work on it at its owner.
#pragma once

#include <cstddef>
#include <cstdint>

#include "windrow/detail/operations.hpp"
#include "windrow/types.hpp"

namespace windrow::aggregation {

/// What a block's payload consists of: a header, then `count` items of one kind, then unused space up to
/// `bytes`. (Where items have any size, `count` is in the kind's units.)
struct alignas(16) run_header {
  kind_id kind;
  std::uint32_t bytes;          ///< from the end of this header to the next; a multiple of 16
  std::uint32_t count;          ///< items
  std::uint32_t item_bytes = 0; ///< of functions that are called at the owner
  std::uint64_t operand; ///< of every item, in runs of constant operands; of function runs, which function
  std::uint64_t argument = 0; ///< what else that function needs to know

  std::byte* items() { return reinterpret_cast<std::byte*>(this + 1); }
};
static_assert(sizeof(run_header) == 32);

/// What the owner's side knows while it works on a run.
struct work {
  std::byte* segment; ///< of the owner
  bool exclusive;     ///< nobody else changes the segment with atomic instructions now
  pe_t from;          ///< who sent the run
};

/// Works on the items of a run, in order. `object` belongs to the kind.
using run_function = void (*)(run_header&, const work&, void* object);

/// The kind of runs that say themselves which function works on them (detail/owner_call.hpp).
inline constexpr kind_id function_kind = ~kind_id{0};
/// The kind of runs whose functions write a reply over each item.
inline constexpr kind_id answering_function_kind = function_kind - 1;
/// What this PE calls the kinds of such runs that it sends: one for each function, known to nobody else.
inline constexpr kind_id first_own_function = kind_id{1} << 31;

} // namespace windrow::aggregation
