// SPDX-License-Identifier: BSD-3-Clause
// Other programs, run by the shell.
#pragma once

#include <string>
#include <vector>

namespace windrow::tools {

/// The words as a line that a shell splits into the same words.
std::string shell_line(const std::vector<std::string>& words);

struct shell_result {
  std::string output;
  int code; ///< as shells count
};
/// Runs the line, one command, and returns what it prints to standard output; the shell dies with this
/// process. Throws windrow::error if no shell can be started.
shell_result run_in_shell(const std::string& line);

} // namespace windrow::tools
