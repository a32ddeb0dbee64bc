// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "apps/graph/edge_list.hpp"

namespace windrow::graph {

/// Takes a line apart at blanks.
class fields {
 public:
  explicit fields(std::string_view line) : rest_(line) { skip_blanks(); }

  bool at_end() const { return rest_.empty(); }
  /// Takes the next field if all of it is a number of this type.
  template <class Number>
  std::optional<Number> take() {
    Number number{};
    const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    const auto length = static_cast<std::size_t>(end - rest_.data());
    if (problem != std::errc{} || (length < rest_.size() && !is_blank(rest_[length]))) return std::nullopt;
    rest_.remove_prefix(length);
    skip_blanks();
    return number;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }

  std::string_view rest_;
};

/// Takes two numbers.
inline std::optional<edge> take_edge(fields& line) {
  const auto from = line.take<vertex>();
  const auto to = from ? line.take<vertex>() : std::nullopt;
  return to ? std::optional(edge{*from, *to}) : std::nullopt;
}

inline bool is_empty_or_comment(std::string_view line, char comment) {
  return line.starts_with(comment) || fields(line).at_end();
}

} // namespace windrow::graph
