// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/read.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "apps/graph/fields.hpp"
#include "apps/graph/matrix_market.hpp"
#include "apps/graph/text_file.hpp"

namespace windrow::graph {

namespace {

// ---- SNAP edge lists

std::vector<edge> read_edge_list(text_file& file, std::optional<std::string_view> line) {
  std::vector<edge> edges;
  for (; line; line = file.next_line()) {
    if (is_empty_or_comment(*line, '#')) continue;
    fields rest(*line);
    const auto e = take_edge(rest);
    if (!e || (!rest.at_end() && !(rest.take<double>() && rest.at_end())))
      file.fail("two vertex ids (integers from 0 to 2^64 - 1) and at most one number after them");
    edges.push_back(*e);
  }
  return edges;
}

// ---- Matrix Market

/// The next line with content; empty at the end of the file.
std::string_view next_matrix_line(text_file& file) {
  auto line = file.next_line();
  while (line && is_empty_or_comment(*line, '%')) line = file.next_line();
  return line.value_or("");
}

std::vector<edge> read_matrix(text_file& file, std::string_view first_line) {
  const auto format = parse_matrix_banner(first_line);
  if (!format) file.fail(expected_matrix_banner);
  const auto size = parse_matrix_size(next_matrix_line(file));
  if (!size) file.fail(expected_matrix_size);
  if (size->rows != size->columns) file.fail("as many rows as columns, because a graph is a square matrix");
  std::vector<edge> edges;
  for (std::uint64_t k = 0; k < size->entries; ++k) {
    const auto e = parse_matrix_entry(next_matrix_line(file), *format, *size);
    if (!e) file.fail(expected_matrix_entry(*format, *size));
    edges.push_back(*e);
    if (format->is_symmetric && e->from != e->to) edges.push_back({e->to, e->from});
  }
  if (!next_matrix_line(file).empty())
    file.fail(fmt::format("the end of the file after {} entries", size->entries));
  return edges;
}

} // namespace

edge_list read(const std::string& path) {
  text_file file(path);
  const auto line = file.next_line();
  const bool is_matrix = line && has_matrix_banner(*line);
  return renumbered(is_matrix ? read_matrix(file, *line) : read_edge_list(file, line));
}

} // namespace windrow::graph
