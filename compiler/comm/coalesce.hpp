// SPDX-License-Identifier: BSD-3-Clause
// Reads of neighbouring places that follow one another become one.
#pragma once

#include <vector>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/analyses.hpp"

namespace windrow::compiler::comm {

/// Reads of one PE in one block, with nothing in between that could make them differ: at known distances from
/// the first one.
struct neighbours {
  SmallVector<CallInst*, 4> reads;   ///< in the order of the program
  SmallVector<int64_t, 4> offsets;   ///< from the first one's place, in bytes
  int64_t low, end;                  ///< of all places together
  SmallVector<StoreInst*, 4> stores; ///< behind the first read
};

/// Among these reads, groups of two and more.
std::vector<neighbours> find_neighbours(Function& function, ArrayRef<CallInst*> reads, known_facts& facts);

/// Makes one read of each group, where there are PEs whose memory cannot be loaded from. Splits blocks.
void read_together(Function& function, ArrayRef<neighbours> groups);

} // namespace windrow::compiler::comm
