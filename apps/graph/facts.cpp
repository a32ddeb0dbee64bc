// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/facts.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "apps/graph/csr.hpp"
#include "apps/graph/sequential.hpp"

namespace windrow::graph {

namespace {

/// Union by the smaller number, with path halving (Tarjan and van Leeuwen, JACM 1984).
class partition {
 public:
  explicit partition(std::uint64_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), vertex{0});
  }
  vertex root(vertex v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  void unite(vertex a, vertex b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<vertex> parent_;
};

void find_components(const edge_list& simple, facts& f) {
  partition parts(simple.vertices);
  for (const auto& e : simple.edges) parts.unite(e.from, e.to);
  std::vector<std::uint64_t> size(simple.vertices);
  for (vertex v = 0; v < simple.vertices; ++v) f.components += size[parts.root(v)]++ == 0;
  if (!size.empty()) f.largest_component = *std::ranges::max_element(size);
}

void find_degrees(const edge_list& simple, facts& f) {
  std::vector<std::uint64_t> degree(simple.vertices);
  for (const auto& e : simple.edges) {
    ++degree[e.from];
    ++degree[e.to];
  }
  if (degree.empty()) return;
  std::ranges::sort(degree);
  f.least_degree = degree.front();
  f.median_degree = degree[degree.size() / 2];
  f.greatest_degree = degree.back();
  f.isolated = static_cast<std::uint64_t>(std::ranges::count(degree, 0u));
  f.degree_histogram.resize(static_cast<std::size_t>(std::bit_width(degree.back())) + 1);
  for (const auto d : degree) ++f.degree_histogram[static_cast<std::size_t>(std::bit_width(d))];
}

} // namespace

facts facts_of(const edge_list& graph) {
  auto simple = simple_undirected(graph);
  facts f{.vertices = graph.vertices,
          .edges = graph.edges.size(),
          .simple_edges = simple.edges.size(),
          .has_weights = !graph.weights.empty(),
          .has_rounded_weights = graph.has_rounded_weights,
          .degree_histogram = {}};
  f.self_loops = static_cast<std::uint64_t>(
      std::ranges::count_if(graph.edges, [](const edge& e) { return e.from == e.to; }));
  find_degrees(simple, f);
  find_components(simple, f);
  f.triangles = triangles_of_oriented(csr(oriented_by_degree(std::move(simple))));
  return f;
}

} // namespace windrow::graph
