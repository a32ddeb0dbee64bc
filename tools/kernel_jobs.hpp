// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "apps/runner/start.hpp"
#include "tools/progress.hpp"
#include "tools/surroundings.hpp"

namespace windrow::tools {

/// Runs the runner of the kernels to its end, showing progress; `where` is put behind each step ("on 2 PEs").
/// Wrong results are results; throws windrow::error with what it said if it ended without all of them.
apps::runner_outcome run_kernels(const surroundings&, const std::string& pes,
                                 const std::vector<std::string>& arguments, progress& watch,
                                 const std::string& where = "",
                                 const std::vector<std::string>& environment = {});

} // namespace windrow::tools
