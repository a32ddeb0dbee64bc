// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace windrow::overlap {

/// The name of the file from this folder, if it is below; else as it is.
std::string shown_file(const std::string& file);

} // namespace windrow::overlap
