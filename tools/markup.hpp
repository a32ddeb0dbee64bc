// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace windrow::tools {

/// The text as HTML, XML and SVG show it; bytes that are no characters become U+FFFD.
std::string escaped(const std::string& text);

} // namespace windrow::tools
