// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace windrow::os {

/// Whether code in this file may be run on behalf of the user: it belongs to the user of this process or to
/// root, as does its folder, and nobody outside their groups can write to either. Not a symbolic link. False
/// if it does not exist.
bool is_trusted_file(const std::string& path);

} // namespace windrow::os
