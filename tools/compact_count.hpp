// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <string>
#include <string_view>

namespace windrow::tools {

/// A count as WINDROW_STATS prints it: 22.54k.
inline double compact_count(const std::string& text) {
  constexpr std::string_view units = "kMGTP";
  const auto unit = text.empty() ? std::string_view::npos : units.find(text.back());
  return std::stod(text) *
         (unit == std::string_view::npos ? 1 : std::pow(1e3, 1 + static_cast<double>(unit)));
}

} // namespace windrow::tools
