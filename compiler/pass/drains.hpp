// SPDX-License-Identifier: BSD-3-Clause
// Where the region is left, deferred code may still wait. Before anything happens that must not come first,
// the runtime is told to finish it.
#pragma once

#include "compiler/pass/diagnostics.hpp"
#include "compiler/pass/outline.hpp"

namespace windrow::defer {

struct region_left {
  std::vector<frame_reference> references; ///< variables of this function that records use
  bool uses_frame = false;                 ///< deferred code may reach other memory of this function's frame
};

/// Adds a drain on each way out of the region behind which no call completes deferred code in time.
void add_drains(code& body, BasicBlock* entry, const region_left& left, const DebugLoc& directive,
                diagnostics& told);

} // namespace windrow::defer
