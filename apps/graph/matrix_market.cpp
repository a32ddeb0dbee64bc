// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "apps/graph/fields.hpp"

namespace windrow::graph {

namespace {

constexpr std::string_view banner = "%%matrixmarket";

/// The value in an entry of a format that has values.
std::optional<double> take_value(fields& line, const matrix_format& format, bool& is_rounded) {
  if (!format.has_integers) return take_weight(line, is_rounded);
  const auto text = line.rest();
  const auto value = line.take<std::int64_t>();
  if (!value) return std::nullopt;
  const auto nearest = static_cast<double>(*value);
  is_rounded = is_rounded_integer(text, nearest);
  return nearest;
}

/// Whether the file may have this entry, counted from 1.
bool is_allowed(const edge& entry, const matrix_format& format, const matrix_size& size) {
  if (entry.from < 1 || entry.from > size.rows || entry.to < 1 || entry.to > size.columns) return false;
  if (!format.is_symmetric) return true;
  return format.is_skew_symmetric ? entry.to < entry.from : entry.to <= entry.from;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

} // namespace

bool has_matrix_banner(std::string_view line) {
  return lower_case(line.substr(0, banner.size())) == banner;
}

std::optional<matrix_format> parse_matrix_banner(std::string_view line) {
  std::istringstream words(lower_case(line));
  std::string word, object, layout, value, symmetry, more;
  words >> word >> object >> layout >> value >> symmetry;
  const bool known = word == banner && object == "matrix" && layout == "coordinate" &&
                     (value == "pattern" || value == "real" || value == "integer") &&
                     (symmetry == "general" || symmetry == "symmetric" ||
                      (symmetry == "skew-symmetric" && value != "pattern")) &&
                     !(words >> more);
  if (!known) return std::nullopt;
  return matrix_format{value != "pattern", value == "integer", symmetry != "general",
                       symmetry == "skew-symmetric"};
}

std::optional<matrix_size> parse_matrix_size(std::string_view line, const matrix_format& format) {
  fields rest(line);
  const auto shape = take_edge(rest);
  const auto entries = shape ? rest.take<std::uint64_t>() : std::nullopt;
  if (!entries || !rest.at_end()) return std::nullopt;
  if (format.is_symmetric && shape->from != shape->to) return std::nullopt;
  return matrix_size{shape->from, shape->to, *entries};
}

std::optional<matrix_entry> parse_matrix_entry(std::string_view line, const matrix_format& format,
                                               const matrix_size& size) {
  fields rest(line);
  const auto e = take_edge(rest);
  if (!e || !is_allowed(*e, format, size)) return std::nullopt;
  bool is_rounded = false;
  const auto value = format.has_values ? take_value(rest, format, is_rounded) : 1;
  if (!value || !rest.at_end()) return std::nullopt;
  return matrix_entry{{e->from - 1, e->to - 1}, *value, is_rounded};
}

std::string expected_matrix_size(const matrix_format& format) {
  return fmt::format("the size of the matrix as three integers: rows, columns, entries{}",
                     format.is_symmetric ? " (as many rows as columns, because it is symmetric)" : "");
}

std::string expected_matrix_entry(const matrix_format& format, const matrix_size& size) {
  const auto value = format.has_integers ? " and an integer" : format.has_values ? " and a value" : "";
  if (format.is_symmetric)
    return fmt::format(
        "row and column from 1 to {}{}, {} the diagonal (a file with both triangles calls the matrix "
        "general)",
        size.rows, value, format.is_skew_symmetric ? "below" : "on or below");
  if (size.rows == size.columns) return fmt::format("row and column from 1 to {}{}", size.rows, value);
  return fmt::format("row from 1 to {}, column from 1 to {}{}", size.rows, size.columns, value);
}

} // namespace windrow::graph
