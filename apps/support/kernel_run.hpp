// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/support/result.hpp"

namespace windrow::apps {

/// How one start of a kernel program went.
struct kernel_run {
  int exit_code = 0;           ///< 128 + signal if one ended it
  std::optional<result> found; ///< what it reported
  std::string said;            ///< everything else that it printed, errors included
};

/// Runs `program` on `pes` PEs with `windrow run` and waits for it. `windrow` is the path of that command;
/// `arguments` go to the program, and --json with them.
kernel_run run_kernel(const std::string& windrow, const std::string& program, int pes,
                      std::vector<std::string> arguments);

} // namespace windrow::apps
