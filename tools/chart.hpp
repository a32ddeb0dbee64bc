// SPDX-License-Identifier: BSD-3-Clause
// Charts, drawn by gnuplot.
#pragma once

#include <string>
#include <vector>

namespace windrow::tools {

/// A value for each row and column; 0 where there is none.
struct chart_table {
  std::string title;
  std::string x_label, y_label;
  std::vector<std::string> rows;           ///< along the x axis
  std::vector<std::string> columns;        ///< one colour each
  std::vector<std::vector<double>> values; ///< [row][column]
  bool logarithmic = true;                 ///< the y axis: for ratios; linear ones begin at 0
};

enum class chart_kind { bars, lines };

/// Ends in .svg or .png, can be written, and gnuplot is there; otherwise throws windrow::error. To be called
/// before hours of measuring.
void require_chart(const std::string& file);

/// Draws it. Throws windrow::error.
void draw_chart(const std::string& file, chart_kind, const chart_table&);

/// What gnuplot is told. For tests.
std::string chart_script(const std::string& file, chart_kind, const chart_table&);

} // namespace windrow::tools
