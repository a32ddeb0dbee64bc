// SPDX-License-Identifier: BSD-3-Clause
// Loops whose writes and updates at places that the program computes may be made later, behind the loop.
#pragma once

#include <string>
#include <vector>

#include "compiler/comm/analyses.hpp"
#include "compiler/comm/late_writes.hpp"

namespace windrow::compiler::comm {

/// A loop, with those inside it.
struct write_region {
  Loop* loop;
  std::vector<late_write> writes;
};

struct region_search {
  std::optional<write_region> found;
  /// If none is: writes for which a loop was looked for, and why it was not found.
  std::vector<std::pair<CallInst*, std::string>> refused;
};

/// The outermost such loop, of which there may be several. Loops are in LLVM's simplified form.
region_search find_write_region(known_facts& facts);

} // namespace windrow::compiler::comm
