// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/read.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "apps/graph/fields.hpp"
#include "apps/graph/matrix_market.hpp"
#include "apps/graph/text_file.hpp"

namespace windrow::graph {

namespace {

// ---- SNAP edge lists

// Both readers leave the vertices as they are numbered in the file.

edge_list read_edge_list(text_file& file, std::optional<std::string_view> line) {
  edge_list graph;
  for (; line; line = file.next_line()) {
    if (is_empty_or_comment(*line, '#')) continue;
    fields rest(*line);
    const auto e = take_edge(rest);
    const auto weight = e && !rest.at_end() ? rest.take<double>() : std::nullopt;
    if (!e || !rest.at_end())
      file.fail("two vertex ids (integers from 0 to 2^64 - 1) and at most one number after them");
    graph.edges.push_back(*e);
    if (weight) graph.weights.push_back(*weight);
  }
  if (graph.weights.size() != graph.edges.size()) graph.weights = {};
  return graph;
}

// ---- Matrix Market

/// The next line with content; empty at the end of the file.
std::string_view next_matrix_line(text_file& file) {
  auto line = file.next_line();
  while (line && is_empty_or_comment(*line, '%')) line = file.next_line();
  return line.value_or("");
}

edge_list read_matrix(text_file& file, std::string_view first_line) {
  const auto format = parse_matrix_banner(first_line);
  if (!format) file.fail(expected_matrix_banner);
  const auto size = parse_matrix_size(next_matrix_line(file));
  if (!size) file.fail(expected_matrix_size);
  if (size->rows != size->columns) file.fail("as many rows as columns, because a graph is a square matrix");
  edge_list graph;
  const auto add = [&](const edge& e, double value) {
    graph.edges.push_back(e);
    if (format->has_values) graph.weights.push_back(value);
  };
  for (std::uint64_t k = 0; k < size->entries; ++k) {
    const auto e = parse_matrix_entry(next_matrix_line(file), *format, *size);
    if (!e) file.fail(expected_matrix_entry(*format, *size));
    add(*e, e->value);
    if (format->is_symmetric && e->from != e->to) add({e->to, e->from}, e->value);
  }
  if (!next_matrix_line(file).empty())
    file.fail(fmt::format("the end of the file after {} entries", size->entries));
  return graph;
}

} // namespace

edge_list read(const std::string& path) {
  text_file file(path);
  const auto line = file.next_line();
  const bool is_matrix = line && has_matrix_banner(*line);
  auto found = is_matrix ? read_matrix(file, *line) : read_edge_list(file, line);
  auto graph = renumbered(std::move(found.edges));
  graph.weights = std::move(found.weights);
  return graph;
}

} // namespace windrow::graph
