// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/sequential.hpp"

namespace windrow::graph {

std::vector<std::uint64_t> in_degrees(const edge_list& graph) {
  std::vector<std::uint64_t> count(graph.vertices);
  for (const auto& e : graph.edges) ++count[e.to];
  return count;
}

std::vector<std::uint64_t> gather_targets(const edge_list& graph, const std::vector<std::uint64_t>& values) {
  std::vector<std::uint64_t> gathered;
  gathered.reserve(graph.edges.size());
  for (const auto& e : graph.edges) gathered.push_back(values[e.to]);
  return gathered;
}

std::uint64_t position_checksum(const std::vector<std::uint64_t>& values) {
  std::uint64_t sum = 0, position = 0;
  for (const auto value : values) sum += ++position * value;
  return sum;
}

std::uint64_t triangles(const edge_list& graph) {
  return triangles_of_oriented(csr(oriented_by_degree(simple_undirected(graph))));
}

std::uint64_t triangles_of_oriented(const csr& out) {
  std::vector<bool> near(out.vertices());
  std::uint64_t count = 0;
  for (vertex u = 0; u < out.vertices(); ++u) {
    for (const auto v : out.row(u)) near[v] = true;
    for (const auto v : out.row(u)) {
      for (const auto w : out.row(v)) count += near[w];
    }
    for (const auto v : out.row(u)) near[v] = false;
  }
  return count;
}

} // namespace windrow::graph
