// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace windrow::tools {

/// Runs the program on so many PEs as `windrow run` does, in a job that ends with this process, and returns
/// its exit code.
int run_program(int pes, const std::vector<std::string>& program);

} // namespace windrow::tools
