// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/sequential.hpp"
#include "apps/graph/csr.hpp"
#include "apps/graph/kronecker.hpp"
#include "apps/kernels/bfs/bfs.hpp"
#include "apps/kernels/support.hpp"

namespace windrow::apps {

namespace {

/// For each vertex its distance from the root plus one, or 0 if it cannot be reached.
std::vector<std::uint64_t> steps_from(graph::vertex root, const graph::csr& neighbours) {
  std::vector<std::uint64_t> steps(neighbours.vertices());
  std::vector<graph::vertex> queue{root};
  steps[root] = 1;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const auto v : neighbours.row(queue[head])) {
      if (steps[v] != 0) continue;
      steps[v] = steps[queue[head]] + 1;
      queue.push_back(v);
    }
  }
  return steps;
}

/// Each edge in both directions.
graph::csr both_ways(const graph::edge_list& given) {
  graph::edge_list both{given.vertices, {}};
  for (const auto& e : given.edges) {
    both.edges.push_back(e);
    both.edges.push_back({e.to, e.from});
  }
  return graph::csr(both);
}

} // namespace

sequential_answer sequential_bfs(const workload& w) {
  const auto neighbours = both_ways(w.graph);
  const auto roots = graph::search_keys(w.graph, bfs::searches, w.seed);
  std::uint64_t checksum = 0;
  const auto seconds = seconds_of([&] {
    for (std::uint64_t k = 0; k < roots.size(); ++k)
      checksum += (k + 1) * graph::position_checksum(steps_from(roots[k], neighbours));
  });
  return {checksum, seconds};
}

} // namespace windrow::apps
