// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace windrow::tools {

/// Bars in groups: one group for each row, one bar for each column.
struct bar_picture {
  std::string title, y_label;
  std::vector<std::string> rows, columns;
  std::vector<std::vector<double>> values; ///< [row][column], positive
};

/// The picture as the text of an SVG file, with a logarithmic scale; drawn without other programs.
std::string as_svg(const bar_picture&);

} // namespace windrow::tools
