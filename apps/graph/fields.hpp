// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
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
  /// What has not been taken yet.
  std::string_view rest() const { return rest_; }
  /// Takes the next field if all of it is a number of this type, a finite one, and not one so small that the
  /// type has 0 in its place.
  template <class Number>
  std::optional<Number> take() {
    Number number{};
    const auto* const begin = rest_.data() + (std::is_signed_v<Number> && has_plus());
    const auto [end, problem] = std::from_chars(begin, rest_.data() + rest_.size(), number);
    const auto length = static_cast<std::size_t>(end - rest_.data());
    if (problem != std::errc{} || (length < rest_.size() && !ends_field(rest_[length]))) return std::nullopt;
    if constexpr (std::is_floating_point_v<Number>)
      if (!std::isfinite(number) || (number == 0 && !says_zero(rest_.substr(0, length)))) return std::nullopt;
    rest_.remove_prefix(length);
    skip_separator();
    return number;
  }

 private:
  /// from_chars takes a minus alone.
  bool has_plus() const { return rest_.starts_with('+') && !rest_.starts_with("+-"); }
  /// Whether there is no other digit than 0 before the exponent.
  static bool says_zero(std::string_view text) {
    return text.substr(0, text.find_first_of("eE")).find_first_of("123456789") == std::string_view::npos;
  }
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

/// Whether what the text begins with is an integer, without point and exponent, that no double equals; its
/// nearest is known.
inline bool is_rounded_integer(std::string_view written, double nearest) {
  constexpr double exact_up_to = 9007199254740992; // 2^53
  if (std::abs(nearest) < exact_up_to) return false;
  const auto text = written.substr(written.find_first_not_of("+-"));
  std::uint64_t whole = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (end != text.data() + text.size() && (*end == '.' || *end == 'e' || *end == 'E')) return false;
  const auto size = std::abs(nearest);
  return problem != std::errc{} || size >= 0x1p64 || static_cast<std::uint64_t>(size) != whole;
}

/// Takes a weight. Sets `is_rounded` if it is an integer that no double equals.
inline std::optional<double> take_weight(fields& line, bool& is_rounded) {
  const auto text = line.rest();
  const auto value = line.take<double>();
  if (value && !is_rounded) is_rounded = is_rounded_integer(text, *value);
  return value;
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
