// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/kernels/kernel.hpp"

namespace windrow::apps {

constexpr std::string_view name_of(kernel_style s) {
  switch (s) {
    case kernel_style::blocking:
      return "blocking";
    case kernel_style::aggregated:
      return "aggregated";
    case kernel_style::mailbox:
      return "mailbox";
    case kernel_style::deferred:
      return "deferred";
    case kernel_style::annotated:
      return "annotated";
  }
  return "unknown style";
}

inline std::vector<std::string> style_names() {
  std::vector<std::string> names;
  for (const auto style : all_styles) names.emplace_back(name_of(style));
  return names;
}

} // namespace windrow::apps
