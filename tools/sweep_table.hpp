// SPDX-License-Identifier: BSD-3-Clause
// The results of one workload at several distances between PEs.
#pragma once

#include <string>
#include <vector>

#include "apps/runner/result.hpp"

namespace windrow::tools {

struct sweep_step {
  std::string delay; ///< one way, as in "50us"
  std::vector<apps::result> results;
};

/// Seconds of the best run of the blocking style, divided by those of the best run of this result. Whatever
/// else the machine does only adds to a delay.
double best_speed_up(const std::vector<apps::result>&, const apps::result&);

/// For each kernel: the time of the blocking style and the speed-up of the others over it, a column for each
/// delay, and how often something went from one PE to another. At most 100 columns wide for 4 delays.
std::string sweep_table(const std::vector<sweep_step>&);

/// "histogram, mailbox" for each of them whose speed-up over blocking does not rise from each delay to the
/// next.
std::vector<std::string> not_rising(const std::vector<sweep_step>&);

/// All results are right and, kernel by kernel, the same at every delay.
bool same_results(const std::vector<sweep_step>&);

} // namespace windrow::tools
