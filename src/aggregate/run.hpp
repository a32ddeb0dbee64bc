// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "windrow/detail/operations.hpp"

namespace windrow::aggregation {

/// What a block's payload consists of: a header, then `count` items of one kind, then unused space up to
/// `bytes`.
struct alignas(16) run_header {
  kind_id kind;
  std::uint32_t bytes;   ///< from the end of this header to the next; a multiple of 16
  std::uint32_t count;   ///< items
  std::uint64_t operand; ///< of every item, in runs of constant operands

  std::byte* items() { return reinterpret_cast<std::byte*>(this + 1); }
};
static_assert(sizeof(run_header) == 32);

/// What the owner's side knows while it works on a run.
struct work {
  std::byte* segment; ///< of the owner
  bool exclusive;     ///< nobody else changes the segment with atomic instructions now
  pe_t from;          ///< who sent the run
};

/// How runs of a kind are treated.
struct kind_entry {
  /// Executes the items at their owner, in order; fetching kinds write the reply over each item.
  void (*apply)(run_header&, const work&, void* object) = nullptr;
  /// Back at the sender: stores the replies where the notes (one address at each item's place) say.
  void (*deliver)(run_header&, const std::byte* notes) = nullptr;
  void* object = nullptr; ///< first of a user-defined kind: its handler
  std::uint32_t item_bytes = 0;
  bool builtin = false;
};

/// The table's part for the built-in operations.
const kind_entry& builtin_kind(kind_id);

} // namespace windrow::aggregation
