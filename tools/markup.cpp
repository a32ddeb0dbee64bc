// SPDX-License-Identifier: BSD-3-Clause
#include "tools/markup.hpp"

namespace windrow::tools {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  return result;
}

} // namespace windrow::tools
