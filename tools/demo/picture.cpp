// SPDX-License-Identifier: BSD-3-Clause
#include "tools/demo/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/markup.hpp"

namespace windrow::tools {

namespace {

constexpr double width = 960, height = 480, left = 70, right = 20, top = 104, bottom = 64;
constexpr std::array bar_colours{"#1f77b4", "#d95f02", "#1b9e77", "#7570b3", "#e7298a", "#66a61e"};

std::string text_at(double x, double y, const std::string& text, const char* anchor = "middle",
                    int size = 13) {
  return fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='{}' font-size='{}'>{}</text>\n", x, y, anchor,
                     size, escaped(text));
}

/// A logarithmic axis from a power of ten to another.
class log_axis {
 public:
  explicit log_axis(const bar_picture& picture) {
    double least = 1, most = 10;
    for (const auto& row : picture.values)
      for (const auto value : row) {
        least = std::min(least, value);
        most = std::max(most, value);
      }
    first_ = std::floor(std::log10(least));
    last_ = std::ceil(std::log10(most));
  }
  double y(double value) const {
    const auto share = (std::log10(value) - first_) / (last_ - first_);
    return height - bottom - share * (height - top - bottom);
  }
  double base() const { return std::pow(10, first_); }
  std::string grid() const {
    std::string lines;
    for (auto power = first_; power <= last_; ++power) {
      const auto value = std::pow(10, power);
      lines += fmt::format("<line x1='{}' x2='{}' y1='{:.1f}' y2='{:.1f}' stroke='{}'/>\n", left,
                           width - right, y(value), y(value), value == 1 ? "#444444" : "#dddddd");
      lines += text_at(left - 8, y(value) + 4, fmt::format("{:g} x", value), "end");
    }
    return lines;
  }

 private:
  double first_ = 0, last_ = 1;
};

std::string svg_bar(double x, double bar_width, double value, const log_axis& axis, const char* colour) {
  const auto from = axis.y(std::max(1.0, axis.base())),
             to = axis.y(value); // bars begin at 1: slower goes down
  auto text = fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='{}'/>\n", x,
                          std::min(from, to), bar_width, std::max(1.0, std::abs(from - to)), colour);
  const auto label = fmt::format("{:.{}f}", value, value < 10 ? 1 : 0);
  return text + text_at(x + bar_width / 2, value < 1 ? to + 14 : to - 4, label, "middle", 11);
}

std::string group(const bar_picture& picture, std::size_t row, const log_axis& axis) {
  const auto group_width = (width - left - right) / static_cast<double>(picture.rows.size());
  const auto bar_width = group_width * 0.8 / static_cast<double>(picture.columns.size());
  const auto begin = left + group_width * (static_cast<double>(row) + 0.1);
  std::string text;
  for (std::size_t c = 0; c < picture.columns.size(); ++c)
    text += svg_bar(begin + bar_width * static_cast<double>(c), bar_width * 0.92, picture.values[row][c],
                    axis, bar_colours.at(c % bar_colours.size()));
  return text + text_at(begin + group_width * 0.4, height - bottom + 32, picture.rows[row]);
}

/// Three in a line.
std::string bar_legend(const bar_picture& picture) {
  std::string text;
  for (std::size_t c = 0; c < picture.columns.size(); ++c) {
    const auto column = c % 3, line = c / 3;
    const auto x = left + 290 * static_cast<double>(column), y = 42 + 20 * static_cast<double>(line);
    text += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='14' height='14' fill='{}'/>\n", x, y,
                        bar_colours.at(c % bar_colours.size()));
    text += text_at(x + 20, y + 12, picture.columns[c], "start");
  }
  return text;
}

} // namespace

std::string as_svg(const bar_picture& picture) {
  const log_axis axis(picture);
  auto text = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {} {}' width='{}' height='{}' "
      "font-family='sans-serif'>\n"
      "<rect width='100%' height='100%' fill='#ffffff'/>\n",
      width, height, width, height);
  text += text_at(width / 2, 26, picture.title, "middle", 16) + bar_legend(picture) + axis.grid();
  for (std::size_t row = 0; row < picture.rows.size(); ++row) text += group(picture, row, axis);
  return text + text_at(left, height - 8, picture.y_label, "start", 12) + "</svg>\n";
}

} // namespace windrow::tools
