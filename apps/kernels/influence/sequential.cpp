// SPDX-License-Identifier: BSD-3-Clause
// With a queue of vertices that have something to pass on.
#include <utility>

#include "apps/graph/rows.hpp"
#include "apps/graph/sequential.hpp"
#include "apps/kernels/influence/influence.hpp"
#include "apps/kernels/support.hpp"

namespace windrow::apps {

namespace {

struct spreading {
  std::vector<cascade_set> reached, to_pass_on;
  std::vector<graph::vertex> queue;

  void arrive(graph::vertex v, cascade_set by) {
    const auto fresh = by & ~reached[v];
    if (fresh == 0) return;
    reached[v] |= fresh;
    if (to_pass_on[v] == 0) queue.push_back(v);
    to_pass_on[v] |= fresh;
  }
};

} // namespace

sequential_answer sequential_influence(const workload& w) {
  const graph::rows<std::pair<graph::vertex, cascade_set>> edges(w.graph.vertices, [&](auto take) {
    for (const auto& e : w.graph.edges) take(e.from, std::pair(e.to, cascades_along(e.from, e.to, w.seed)));
  });
  if (w.graph.vertices == 0) return {0, 0};
  spreading state{std::vector<cascade_set>(w.graph.vertices), std::vector<cascade_set>(w.graph.vertices), {}};
  const auto seconds = seconds_of([&] {
    for (unsigned i = 0; i < cascades; ++i) state.arrive(cascade_source(i, w), cascade_set{1} << i);
    for (std::size_t head = 0; head < state.queue.size(); ++head) {
      const auto u = state.queue[head];
      const auto passed = std::exchange(state.to_pass_on[u], 0);
      for (const auto& [to, along] : edges[u]) state.arrive(to, passed & along);
    }
  });
  return {graph::position_checksum(state.reached), seconds};
}

} // namespace windrow::apps
