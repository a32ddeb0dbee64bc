// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "windrow/detail/run.hpp"

namespace windrow::aggregation {

/// How runs of a kind are treated.
struct kind_entry {
  /// Executes the items at their owner; fetching kinds write the reply over each item.
  run_function apply = nullptr;
  /// Back at the sender: stores the replies where the notes (one address at each item's place) say.
  void (*deliver)(run_header&, const std::byte* notes) = nullptr;
  void* object = nullptr; ///< first of a user-defined kind: its handler
  std::uint32_t item_bytes = 0;
  std::uint64_t code = 0; ///< of functions that are called at the owner
  /// Changes the owner's memory, with plain instructions where `work::exclusive` says so: applied under the
  /// atomics gate (src/pgas/README.md), so `apply` must not use direct atomics itself.
  bool gated = false;
};

/// Runs of `function_kind` and `answering_function_kind`.
extern const kind_entry called_functions, answering_functions;

/// The table's part for the built-in operations.
const kind_entry& builtin_kind(kind_id);

} // namespace windrow::aggregation
