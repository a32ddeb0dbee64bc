// SPDX-License-Identifier: BSD-3-Clause
// Floods one component after the other, each from its smallest vertex.
#include "apps/graph/sequential.hpp"
#include "apps/graph/rows.hpp"
#include "apps/kernels/components/components.hpp"
#include "apps/kernels/support.hpp"

namespace windrow::apps {

namespace {

/// For each vertex, the smallest one of its component, plus one.
std::vector<std::uint64_t> smallest(const graph::rows<graph::vertex>& neighbours) {
  std::vector<std::uint64_t> found(neighbours.size());
  std::vector<graph::vertex> stack;
  for (graph::vertex root = 0; root < neighbours.size(); ++root) {
    if (found[root] != 0) continue;
    found[root] = root + 1;
    for (stack.push_back(root); !stack.empty();) {
      const auto u = stack.back();
      stack.pop_back();
      for (const auto v : neighbours[u]) {
        if (found[v] != 0) continue;
        found[v] = root + 1;
        stack.push_back(v);
      }
    }
  }
  return found;
}

} // namespace

sequential_answer sequential_components(const workload& w) {
  const graph::rows<graph::vertex> neighbours(w.graph.vertices, [&](auto take) {
    for (const auto& e : w.graph.edges) {
      take(e.from, e.to);
      take(e.to, e.from);
    }
  });
  std::vector<std::uint64_t> found;
  const auto seconds = seconds_of([&] { found = smallest(neighbours); });
  return {graph::position_checksum(found), seconds};
}

} // namespace windrow::apps
