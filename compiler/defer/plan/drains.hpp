// SPDX-License-Identifier: BSD-3-Clause
// Where the region is left, deferred code may still wait. Before anything happens that must not come first,
// the runtime is told to finish it.
#pragma once

#include "compiler/common/report/diagnostics.hpp"
#include "compiler/defer/outline/outline.hpp"

namespace windrow::compiler::defer {

class hazards;

/// A place where deferred code is to be complete.
struct completion {
  BasicBlock* block;     ///< it is left: by the edge to `successor`, or for good if that is null
  BasicBlock* successor; ///< where it is entered, if there is no `block`
  std::string why;
};

/// Where the region is left, and what may see deferred code, or a return, if the function waits for that,
/// follows before a call completes it.
std::vector<completion> completions_behind(code& body, BasicBlock* entry, bool waits, const hazards& seen);

struct region_left {
  bool throws = false;                 ///< what deferred code has thrown is thrown where it is complete
  BasicBlock* handler = nullptr;       ///< then: of it, if it is in the function
  bool waits = true;                   ///< the function is complete where it returns
  std::vector<completion> completions; ///< found before anything was moved

  std::vector<frame_reference> references; ///< variables of this function that records use
  bool uses_frame = false;                 ///< deferred code may reach other memory of this function's frame
};

/// Adds a drain on each way out of the region behind which no call completes deferred code in time.
void add_drains(code& body, BasicBlock* entry, const region_left& left, const DebugLoc& directive,
                diagnostics& told);

} // namespace windrow::compiler::defer
