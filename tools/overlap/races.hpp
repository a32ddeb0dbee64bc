// SPDX-License-Identifier: BSD-3-Clause
// Analysis 7: accesses in conflict that nothing orders, which is an error of the program.
#pragma once

#include <cstddef>
#include <vector>

#include "tools/overlap/model.hpp"

namespace windrow::overlap {

/// One side of a race: an event of a PE.
struct race_side {
  int pe;
  std::size_t event;
};
struct race {
  race_side first, second;
  int owner;         ///< of the memory
  std::size_t times; ///< how many accesses of one place are in a race with some of the other
  /// There is a barrier between the two, which does not complete what a context other than the default one
  /// has begun.
  bool lacks_quiet;
};

/// Each pair of places in the source once. Between PEs only what was recorded is found: without loads and
/// stores of symmetric memory these are the transfers.
std::vector<race> find_races(const model&);

} // namespace windrow::overlap
