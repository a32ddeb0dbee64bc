// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace windrow::tools {

/// The arguments as `windrow` wants them. The command may also be called by the names that OpenSHMEM users
/// know, as links to it, or links to those of any name: oshcc and oshc++ (oshcxx, oshCC) are commands beside
/// `windrow cc` and `windrow c++` that leave CC, CXX and the standard alone; oshrun stands for `windrow run`,
/// with the options of other launchers, of which one note names those that are ignored; -show prints the
/// command instead of running it.
std::vector<std::string> by_name(const std::string& program, std::vector<std::string> arguments);

} // namespace windrow::tools
