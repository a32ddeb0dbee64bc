// SPDX-License-Identifier: BSD-3-Clause
// Which file a command of a shell is.
#pragma once

#include <filesystem>
#include <string>

namespace windrow::tools {

/// The file that execvp(3) would start for `program`, links not followed; empty if there is none.
std::filesystem::path find_program(const std::string& program);

} // namespace windrow::tools
