// SPDX-License-Identifier: BSD-3-Clause
// Running a program so that it records what it does.
#pragma once

#include <string>
#include <vector>

namespace windrow::tools {

struct record_options {
  std::string output;    ///< empty: the program's name, with .overlap
  bool accesses = false; ///< loads and stores of symmetric memory too
  int pes = 1;
  std::vector<std::string> program;
};

/// Runs the program as `windrow run` does, and says what was recorded. Returns its exit code. Throws
/// windrow::error if nothing can be recorded.
int record_run(const record_options&);

} // namespace windrow::tools
