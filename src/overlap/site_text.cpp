// SPDX-License-Identifier: BSD-3-Clause
#include "overlap/site_text.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace windrow::overlap {

namespace {

std::string_view take_part(std::string_view& text, char until) {
  const auto end = std::min(text.find(until), text.size());
  const auto part = text.substr(0, end);
  text.remove_prefix(std::min(text.size(), end + 1));
  return part;
}

template <class T>
T take_number(std::string_view& text, char until, int base = 10) {
  const auto part = take_part(text, until);
  T number = 0;
  std::from_chars(part.data(), part.data() + part.size(), number, base);
  return number;
}

std::string_view take_bytes(std::string_view& text, std::size_t bytes) {
  const auto part = text.substr(0, bytes);
  text.remove_prefix(std::min(text.size(), bytes + 1));
  return part;
}

} // namespace

site frames_of(std::string_view text) {
  site frames;
  while (!text.empty()) {
    frame one;
    one.file = take_bytes(text, take_number<std::size_t>(text, '\t'));
    one.function = take_part(text, '\t');
    one.line = take_number<int>(text, '\t');
    one.column = take_number<int>(text, '\t');
    one.hash = take_number<std::uint64_t>(text, '\n', 16);
    frames.push_back(std::move(one));
  }
  return frames;
}

} // namespace windrow::overlap
