// SPDX-License-Identifier: BSD-3-Clause
// Running a program that was compiled with a plan, with each access checked.
#pragma once

#include <string>
#include <vector>

namespace windrow::tools {

struct check_options {
  int pes = 1;
  std::vector<std::string> program;
};

/// Runs the program as `windrow run` does. The job ends with an error at the first access to a transfer that
/// the plan completes later. Returns its exit code; throws windrow::error if nothing was put off.
int check_run(const check_options&);

} // namespace windrow::tools
