// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "apps/graph/csr.hpp"
#include "apps/graph/mix.hpp"
#include "apps/kernels/random_permutation/random_permutation.hpp"
#include "apps/kernels/support.hpp"
#include "apps/kernels/topological_sort/topological_sort.hpp"

namespace windrow::apps {

namespace {

graph::edge_list permuted_edges(const workload& w) {
  auto triangle = simple_undirected(w.graph);
  for (graph::vertex v = 0; v < triangle.vertices; ++v) triangle.edges.push_back({v, v});
  const auto row_to = sequential_permutation({triangle.vertices, w.seed});
  const auto column_to = sequential_permutation({triangle.vertices, w.seed + 1});
  for (auto& e : triangle.edges) e = {row_to[e.from], column_to[e.to]};
  return triangle;
}

graph::edge_list reversed(graph::edge_list graph) {
  for (auto& e : graph.edges) std::swap(e.from, e.to);
  return graph;
}

struct order {
  std::vector<std::uint64_t> row_position, column_position;
};

/// Kahn's algorithm ("Topological sorting of large networks", CACM 1962), from the end.
order sorted(const graph::csr& matrix, const graph::csr& columns) {
  const auto n = matrix.vertices();
  std::vector<std::uint64_t> entries(n), sum(n), ready;
  for (std::uint64_t row = 0; row < n; ++row) {
    for (const auto column : matrix.row(row)) sum[row] += column;
    entries[row] = matrix.row(row).size();
    if (entries[row] == 1) ready.push_back(row);
  }
  order found{std::vector<std::uint64_t>(n, n), std::vector<std::uint64_t>(n, n)};
  for (auto position = n; !ready.empty();) {
    const auto row = ready.back(), column = sum[row];
    ready.pop_back();
    found.row_position[row] = found.column_position[column] = --position;
    for (const auto r : columns.row(column)) {
      sum[r] -= column;
      if (--entries[r] == 1) ready.push_back(r);
    }
  }
  return found;
}

} // namespace

sequential_answer sequential_topological_sort(const workload& w) {
  const auto edges = permuted_edges(w);
  const graph::csr matrix(edges), columns(reversed(edges));
  order found;
  sequential_answer answer{};
  answer.seconds = seconds_of([&] { found = sorted(matrix, columns); });
  for (const auto& e : edges.edges) {
    const auto row = found.row_position[e.from], column = found.column_position[e.to];
    answer.checksum += (row <= column) + (row == column) * hash({e.from, e.to});
  }
  for (const auto position : found.row_position) answer.checksum += graph::mix(position + 1);
  return answer;
}

} // namespace windrow::apps
