// SPDX-License-Identifier: BSD-3-Clause
// The options of other launchers, as READMEs of OpenSHMEM programs have them, said to `windrow run`.
#pragma once

#include <string>
#include <vector>

namespace windrow::tools {

struct launch_words {
  std::vector<std::string> options; ///< of `windrow run`
  std::vector<std::string> program; ///< with its arguments
  std::vector<std::string> ignored; ///< options that would only place PEs, or tune other libraries
  bool show = false;                ///< -show: print the command instead
  bool version = false;             ///< --version: say which, and nothing else
};

/// Understands mpirun's and mpiexec's names for what `windrow run` has. Options that nobody knows are left to
/// `windrow run`. Changes to the folder of -wdir. Throws windrow::error if that, or a file of hosts, cannot
/// be read.
launch_words translate_launcher(const std::vector<std::string>& arguments);

} // namespace windrow::tools
