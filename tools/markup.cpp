// SPDX-License-Identifier: BSD-3-Clause
#include "tools/markup.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace windrow::tools {

namespace {

bool is_between(char c, unsigned least, unsigned most) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= least && byte <= most;
}

/// How many bytes the character has that begins the text; 0 if it is none of UTF-8, or one that a page must
/// not have.
std::size_t bytes_of_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return lead >= 0x20 || lead == '\t' || lead == '\n' || lead == '\r' ? 1 : 0;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const std::size_t bytes = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (text.size() < bytes) return 0;
  // Neither longer than needed, nor half of a pair, nor above the last one.
  const unsigned least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  const auto rest = text.substr(2, bytes - 2);
  const bool is_whole = is_between(text[1], least, most) &&
                        std::ranges::all_of(rest, [](char c) { return is_between(c, 0x80, 0xbf); });
  return is_whole ? bytes : 0;
}

std::string_view as_entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return "";
  }
}

} // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (std::string_view rest = text; !rest.empty();) {
    const auto bytes = bytes_of_character(rest);
    const auto entity = as_entity(rest.front());
    result += bytes == 0 ? "\xef\xbf\xbd" : entity.empty() ? rest.substr(0, bytes) : entity;
    rest.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return result;
}

} // namespace windrow::tools
