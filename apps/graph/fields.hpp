// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "apps/graph/edge_list.hpp"

namespace windrow::graph {

/// Takes a line apart at blanks.
class fields {
 public:
  /// Between two fields there may be one `separator`, with blanks around it or without.
  explicit fields(std::string_view line, char separator = ' ') : rest_(line), separator_(separator) {
    skip_blanks();
  }

  bool at_end() const { return rest_.empty(); }
  /// Takes the next field if all of it is a number of this type, and a finite one.
  template <class Number>
  std::optional<Number> take() {
    Number number{};
    const auto* const begin = rest_.data() + (std::is_signed_v<Number> && has_plus());
    const auto [end, problem] = std::from_chars(begin, rest_.data() + rest_.size(), number);
    const auto length = static_cast<std::size_t>(end - rest_.data());
    if (problem != std::errc{} || (length < rest_.size() && !ends_field(rest_[length]))) return std::nullopt;
    if constexpr (std::is_floating_point_v<Number>)
      if (!std::isfinite(number)) return std::nullopt;
    rest_.remove_prefix(length);
    skip_separator();
    return number;
  }

 private:
  /// from_chars takes a minus alone.
  bool has_plus() const { return rest_.starts_with('+') && !rest_.starts_with("+-"); }
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  bool ends_field(char c) const { return is_blank(c) || c == separator_; }
  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  /// A separator that nothing comes after stays: it is no end of a line.
  void skip_separator() {
    skip_blanks();
    if (rest_.size() < 2 || rest_.front() != separator_) return;
    rest_.remove_prefix(1);
    skip_blanks();
  }

  std::string_view rest_;
  char separator_;
};

/// Takes two numbers.
inline std::optional<edge> take_edge(fields& line) {
  const auto from = line.take<vertex>();
  const auto to = from ? line.take<vertex>() : std::nullopt;
  return to ? std::optional(edge{*from, *to}) : std::nullopt;
}

/// A text without the mark that editors of Windows put before UTF-8.
inline std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

/// A line without content, or one that begins with a character of `comment`.
inline bool is_empty_or_comment(std::string_view line, std::string_view comment) {
  return (!line.empty() && comment.find(line.front()) != std::string_view::npos) || fields(line).at_end();
}

} // namespace windrow::graph
