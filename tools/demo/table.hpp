// SPDX-License-Identifier: BSD-3-Clause
// Results of the demo as people read them, at most 100 columns wide.
#pragma once

#include <string>
#include <vector>

#include "apps/runner/result.hpp"

namespace windrow::tools {

/// What ran in one place: on this host, or between imitated ones.
struct demo_place {
  std::string title; ///< "On this host, 2 PEs"
  std::string label; ///< for the picture: "this host", "50 us"
  std::vector<apps::result> results;
};

/// A line for each kernel: how many operations, milliseconds of the blocking style, and for each other style
/// its milliseconds and how many times as fast it is.
std::string demo_table(const std::vector<apps::result>&);

/// Why styles are slower than blocking ones here, a line for each that is; empty if none is.
std::string reasons(const std::vector<apps::result>&);

/// The checksums that all styles agree on, in one line.
std::string answers(const std::vector<apps::result>&);

} // namespace windrow::tools
