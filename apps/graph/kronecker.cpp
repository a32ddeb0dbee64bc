// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/kronecker.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "apps/graph/random.hpp"

namespace windrow::graph {

namespace {

/// One edge: a quadrant at every level.
edge draw_edge(unsigned scale, const initiator& of, random_stream& random) {
  edge e{0, 0};
  for (unsigned level = 0; level < scale; ++level) {
    const auto draw = random.uniform();
    const bool down = draw >= of.a + of.b;
    const bool right = down ? draw >= of.a + of.b + of.c : draw >= of.a;
    e = {2 * e.from + down, 2 * e.to + right};
  }
  return e;
}

} // namespace

edge_list kronecker::generate() const {
  const auto renamed = random_permutation(vertices(), seed);
  random_stream random(~seed);
  edge_list graph{vertices(), {}};
  graph.edges.reserve(edges());
  for (std::uint64_t k = 0; k < edges(); ++k) {
    const auto e = draw_edge(scale, quadrants, random);
    graph.edges.push_back({renamed[e.from], renamed[e.to]});
  }
  return graph;
}

std::vector<vertex> random_permutation(std::uint64_t size, std::uint64_t seed) {
  std::vector<vertex> permutation(size);
  std::iota(permutation.begin(), permutation.end(), vertex{0});
  random_stream random(seed);
  for (auto rest = size; rest > 1; --rest) std::swap(permutation[rest - 1], permutation[random.below(rest)]);
  return permutation;
}

std::vector<vertex> search_keys(const edge_list& graph, std::uint64_t count, std::uint64_t seed) {
  std::vector<bool> has_neighbour(graph.vertices);
  for (const auto& e : graph.edges) {
    if (e.from != e.to) has_neighbour[e.from] = has_neighbour[e.to] = true;
  }
  std::vector<vertex> candidates;
  for (vertex v = 0; v < graph.vertices; ++v) {
    if (has_neighbour[v]) candidates.push_back(v);
  }
  random_stream random(seed);
  count = std::min<std::uint64_t>(count, candidates.size());
  for (std::uint64_t k = 0; k < count; ++k)
    std::swap(candidates[k], candidates[k + random.below(candidates.size() - k)]);
  candidates.resize(count);
  return candidates;
}

} // namespace windrow::graph
