// SPDX-License-Identifier: BSD-3-Clause
// Results of the runner (apps/runner) as people read them. All tables are at most 100 columns wide.
#pragma once

#include <string>
#include <vector>

#include "apps/runner/result.hpp"

namespace windrow::tools {

/// One line for each result, headed by the graph and the number of PEs. The speed-up of a line is over the
/// blocking line with the same graph, kernel and PEs.
std::string results_table(const std::vector<apps::result>&);
/// What the columns mean.
std::string results_legend();

/// The blocking style on the same graph with as many PEs, or null.
const apps::result* blocking_twin(const std::vector<apps::result>&, const apps::result&);
/// Seconds of the blocking style on the same graph with as many PEs, divided by these; 0 if there are none.
double speed_up(const std::vector<apps::result>&, const apps::result&);

/// One sentence: that all results equal the sequential program's, or which do not.
std::string verdict(const std::vector<apps::result>&);

/// Joules by part of the machine where they were counted. Where they were not, what energy is spent on,
/// said to be a model and without joules; `source` says why.
std::string energy_table(const std::vector<apps::result>&, bool counted, const std::string& source);

} // namespace windrow::tools
