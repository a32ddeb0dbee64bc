// SPDX-License-Identifier: BSD-3-Clause
// Dijkstra's algorithm ("A note on two problems in connexion with graphs", 1959), with a binary heap.
#include <bit>
#include <queue>
#include <utility>

#include "apps/graph/sequential.hpp"
#include "apps/kernels/sssp/sssp.hpp"
#include "apps/kernels/support.hpp"

namespace windrow::apps {

namespace {

std::vector<double> distances(const graph::rows<arc>& edges, graph::vertex source) {
  std::vector<double> distance(edges.size(), std::numeric_limits<double>::infinity());
  using entry = std::pair<double, graph::vertex>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> nearest;
  distance[source] = 0;
  nearest.emplace(0, source);
  while (!nearest.empty()) {
    const auto [near, u] = nearest.top();
    nearest.pop();
    if (near > distance[u]) continue;
    for (const auto& [v, weight] : edges[u]) {
      if (near + weight >= distance[v]) continue;
      distance[v] = near + weight;
      nearest.emplace(distance[v], v);
    }
  }
  return distance;
}

} // namespace

sequential_answer sequential_sssp(const workload& w) {
  const weighted_graph weights(w);
  if (weights.source() == weighted_graph::none) return {0, 0};
  const graph::rows<arc> edges(w.graph.vertices, [&](auto take) {
    for (std::uint64_t k = 0; k < w.graph.edges.size(); ++k)
      take(w.graph.edges[k].from, arc{w.graph.edges[k].to, weights.weight(k)});
  });
  std::vector<double> found;
  const auto seconds = seconds_of([&] { found = distances(edges, weights.source()); });
  std::vector<std::uint64_t> bits;
  for (const auto distance : found) bits.push_back(std::bit_cast<std::uint64_t>(distance));
  return {graph::position_checksum(bits), seconds};
}

} // namespace windrow::apps
