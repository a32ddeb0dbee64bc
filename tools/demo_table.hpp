// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "apps/support/result.hpp"

namespace windrow::tools {

/// The results in columns, at most 100 wide. The speed-up of a row is over the blocking row with the same
/// graph, kernel and number of PEs.
std::string demo_table(const std::vector<apps::result>&);

/// One sentence: that all results equal the sequential count, or which do not.
std::string demo_verdict(const std::vector<apps::result>&);

} // namespace windrow::tools
