// SPDX-License-Identifier: BSD-3-Clause
// Marks the neighbours of one vertex at a time and counts how many of them its lower neighbours see.
#include "apps/graph/edge_list.hpp"
#include "apps/graph/rows.hpp"
#include "apps/kernels/jaccard/jaccard.hpp"
#include "apps/kernels/support.hpp"

namespace windrow::apps {

namespace {

std::uint64_t compare_all(const graph::rows<graph::vertex>& neighbours) {
  std::uint64_t checksum = 0;
  std::vector<bool> near(neighbours.size());
  for (graph::vertex u = 0; u < neighbours.size(); ++u) {
    const auto row = neighbours[u];
    for (const auto v : row) near[v] = true;
    for (const auto v : row) {
      const auto size = neighbours[v].size();
      if (size > row.size() || (size == row.size() && v > u)) continue;
      std::uint64_t common = 0;
      for (const auto w : neighbours[v]) common += near[w];
      checksum += similarity{v, u, jaccard_index(common, size, row.size())}.checksum();
    }
    for (const auto v : row) near[v] = false;
  }
  return checksum;
}

} // namespace

sequential_answer sequential_jaccard(const workload& w) {
  const auto simple = graph::simple_undirected(w.graph);
  const graph::rows<graph::vertex> neighbours(simple.vertices, [&](auto take) {
    for (const auto& e : simple.edges) {
      take(e.from, e.to);
      take(e.to, e.from);
    }
  });
  std::uint64_t checksum = 0;
  const auto seconds = seconds_of([&] { checksum = compare_all(neighbours); });
  return {checksum, seconds};
}

} // namespace windrow::apps
