// SPDX-License-Identifier: BSD-3-Clause
// Analyses 3 and 4: what barriers are needed for. Both need the accesses of all PEs.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/overlap/model.hpp"

namespace windrow::overlap {

struct barrier_use {
  std::uint32_t site;
  std::size_t times; ///< that a PE came to it
  /// No two accesses in conflict are ordered by this barrier alone, all others being there, nor by what it
  /// completes. Barriers beside collectives that move data are kept: those need buffers to be ready.
  bool redundant;
  /// Transfers that it completes, and whether all of them may go on until the PE's next synchronisation, as
  /// nobody uses the data before.
  std::size_t completes;
  bool may_complete_later;
};

/// Empty for a recording without all accesses.
std::vector<barrier_use> uses_of_barriers(const model&);

} // namespace windrow::overlap
