// SPDX-License-Identifier: BSD-3-Clause
// Each vertex collects what the vertices that link to it give.
#include "apps/graph/sequential.hpp"
#include "apps/graph/rows.hpp"
#include "apps/kernels/pagerank/pagerank.hpp"
#include "apps/kernels/support.hpp"

namespace windrow::apps {

namespace {

using ranks = std::vector<std::uint64_t>;

struct link_structure {
  graph::rows<graph::vertex> sources; ///< of each vertex: who links to it
  std::vector<std::uint64_t> links;   ///< of each vertex: how many it has
};

ranks iterate(const link_structure& graph, const rank_arithmetic& arithmetic, const ranks& old) {
  std::uint64_t dangling = 0;
  ranks given(old.size());
  for (std::size_t v = 0; v < old.size(); ++v) {
    if (graph.links[v] == 0)
      dangling += old[v];
    else
      given[v] = old[v] / graph.links[v];
  }
  ranks next(old.size());
  for (std::size_t v = 0; v < old.size(); ++v) {
    std::uint64_t sum = 0;
    for (const auto u : graph.sources[v]) sum += given[u];
    next[v] = arithmetic.next(sum, dangling);
  }
  return next;
}

std::uint64_t distance(const ranks& a, const ranks& b) {
  std::uint64_t sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += a[v] > b[v] ? a[v] - b[v] : b[v] - a[v];
  return sum;
}

} // namespace

sequential_answer sequential_pagerank(const workload& w) {
  const rank_arithmetic arithmetic(w.graph.vertices);
  link_structure graph{{w.graph.vertices,
                        [&](auto take) {
                          for (const auto& e : w.graph.edges) take(e.to, e.from);
                        }},
                       std::vector<std::uint64_t>(w.graph.vertices)};
  for (const auto& e : w.graph.edges) ++graph.links[e.from];
  ranks rank(w.graph.vertices, arithmetic.shares);
  const auto seconds = seconds_of([&] {
    for (std::uint64_t k = 0; k < rank_arithmetic::most_iterations; ++k) {
      const auto old = std::exchange(rank, iterate(graph, arithmetic, rank));
      if (arithmetic.is_settled(distance(old, rank))) break;
    }
  });
  return {graph::position_checksum(rank), seconds};
}

} // namespace windrow::apps
