// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/edge_lines.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "apps/graph/fields.hpp"
#include "apps/graph/matrix_market.hpp"

namespace windrow::graph {

namespace {

constexpr std::string_view comment = "#%";
constexpr auto ends = "two vertex ids (integers from 0 to 2^64 - 1)";
constexpr auto not_a_matrix =
    "an edge list, or a Matrix Market file that begins with \"%%MatrixMarket\", above everything else";
constexpr auto not_bipartite =
    "a graph whose two columns number the same vertices, not one that says it is bipartite";

struct numbers {
  edge ends;
  std::array<double, 2> more{}; ///< weight and time
  unsigned count = 2;
  bool has_rounded_weight = false;
};

std::optional<numbers> parse(std::string_view line) {
  fields rest(line, ',');
  const auto both = take_edge(rest);
  if (!both) return std::nullopt;
  numbers found{*both};
  for (; !rest.at_end(); ++found.count) {
    bool is_rounded = false;
    const auto number = found.count < 4 ? take_weight(rest, is_rounded) : std::nullopt;
    if (!number) return std::nullopt;
    if (found.count == 2) found.has_rounded_weight = is_rounded;
    found.more[found.count - 2] = *number;
  }
  return found;
}

// A comment to readers of edge lists, after which the size of the matrix would be an edge.
void check_for_matrix(const text_file& file, std::string_view line) {
  if (line.starts_with("%") && has_matrix_banner(line.starts_with("%%") ? line : fmt::format("%{}", line)))
    file.fail(not_a_matrix);
}

// KONECT's first line: "% bip", "% sym" or "% asym", then what the weights are.
void check_comment(const text_file& file, std::string_view line) {
  if (line.starts_with("% bip ") || line == "% bip") file.fail(not_bipartite);
  check_for_matrix(file, line);
}

std::string expected(edge_columns columns) {
  constexpr std::array more{"", " and a weight", ", a weight and a time"};
  return fmt::format("{}{}, as in the first edge", ends, more.at(columns.count - 2));
}

} // namespace

edge_columns read_edge_columns(text_file& file) {
  for (auto line = file.next_line(); line; line = file.next_line()) {
    check_comment(file, *line);
    if (is_empty_or_comment(*line, comment)) continue;
    const auto first = parse(*line);
    if (!first) file.fail(fmt::format("{} and at most a weight and a time after them", ends));
    file.unread();
    return {first->count};
  }
  return {};
}

file_part read_edge_lines(text_file& file, edge_columns columns) {
  file_part part;
  while (const auto line = file.next_line()) {
    if (is_empty_or_comment(*line, comment)) {
      check_for_matrix(file, *line);
      continue;
    }
    const auto found = parse(*line);
    if (!found || found->count != columns.count) file.fail(expected(columns));
    part.edges.push_back(found->ends);
    if (columns.count > 2) part.weights.push_back(found->more[0]);
    part.has_rounded_weights |= found->has_rounded_weight;
  }
  part.lines = part.edges.size();
  return part;
}

} // namespace windrow::graph
