// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/edge_list.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace windrow::graph {

namespace {

void sort_unique(auto& values) {
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
}

std::vector<std::uint64_t> degrees(const edge_list& simple) {
  std::vector<std::uint64_t> degree(simple.vertices);
  for (const auto& e : simple.edges) {
    ++degree[e.from];
    ++degree[e.to];
  }
  return degree;
}

} // namespace

namespace {

vertex largest_id(const std::vector<edge>& edges) {
  vertex largest = 0;
  for (const auto& e : edges) largest = std::max({largest, e.from, e.to});
  return largest;
}

/// Ids that leave few numbers out: a table has the number of each.
edge_list renumbered_by_table(std::vector<edge> edges, vertex largest) {
  std::vector<vertex> number(largest + 1);
  for (const auto& e : edges) number[e.from] = number[e.to] = 1;
  const auto vertices = std::reduce(number.begin(), number.end());
  std::exclusive_scan(number.begin(), number.end(), number.begin(), vertex{0});
  for (auto& e : edges) e = {number[e.from], number[e.to]};
  return {vertices, std::move(edges)};
}

edge_list renumbered_by_search(std::vector<edge> edges) {
  std::vector<vertex> ids;
  ids.reserve(2 * edges.size());
  for (const auto& e : edges) ids.insert(ids.end(), {e.from, e.to});
  sort_unique(ids);
  const auto number = [&](vertex id) {
    return static_cast<vertex>(std::ranges::lower_bound(ids, id) - ids.begin());
  };
  for (auto& e : edges) e = {number(e.from), number(e.to)};
  return {ids.size(), std::move(edges)};
}

} // namespace

edge_list renumbered(std::vector<edge> edges) {
  const auto largest = largest_id(edges);
  const bool is_dense = largest < 2 * edges.size(); // then the table takes no more memory than the ids would
  return is_dense ? renumbered_by_table(std::move(edges), largest) : renumbered_by_search(std::move(edges));
}

edge_list simple_undirected(const edge_list& graph) {
  edge_list simple{graph.vertices, {}};
  simple.edges.reserve(graph.edges.size());
  for (const auto& e : graph.edges) {
    if (e.from != e.to) simple.edges.push_back({std::min(e.from, e.to), std::max(e.from, e.to)});
  }
  sort_unique(simple.edges);
  return simple;
}

edge_list oriented_by_degree(edge_list simple) {
  const auto degree = degrees(simple);
  for (auto& e : simple.edges) {
    if (std::pair(degree[e.to], e.to) < std::pair(degree[e.from], e.from)) std::swap(e.from, e.to);
  }
  return simple;
}

edge_list numbered_by_degree(edge_list simple) {
  const auto degree = degrees(simple);
  std::vector<vertex> order(simple.vertices), number(simple.vertices);
  std::iota(order.begin(), order.end(), vertex{0});
  std::ranges::sort(order, {}, [&](vertex v) { return std::pair(degree[v], v); });
  for (vertex k = 0; k < simple.vertices; ++k) number[order[k]] = k;
  for (auto& e : simple.edges)
    e = {std::min(number[e.from], number[e.to]), std::max(number[e.from], number[e.to])};
  return simple;
}

} // namespace windrow::graph
