// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace windrow::tools {

/// The arguments as `windrow` wants them. The command may also be called by the names that OpenSHMEM users
/// know, as links to it: oshcc and oshc++ (oshcxx, oshCC) stand for `windrow cc` and `windrow c++`, oshrun
/// for `windrow run`, where -np is understood as -n, and -show prints the command instead of running it.
std::vector<std::string> by_name(const std::string& program, std::vector<std::string> arguments);

} // namespace windrow::tools
