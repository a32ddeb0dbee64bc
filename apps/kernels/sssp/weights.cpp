// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/graph/random.hpp"
#include "apps/kernels/sssp/sssp.hpp"
#include "windrow/error.hpp"

namespace windrow::apps {

namespace {

void check_weights(const workload& w) {
  for (std::uint64_t k = 0; k < w.graph.weights.size(); ++k) {
    const auto weight = w.graph.weights[k];
    if (weight >= 0 && std::isfinite(weight)) continue;
    throw error(
        fmt::format("edge {} of {} (from vertex {} to {}, numbered from 0) has the weight {}: shortest paths "
                    "need weights "
                    "of 0 or more; take them out or shift them",
                    k + 1, w.name, w.graph.edges[k].from, w.graph.edges[k].to, weight));
  }
}

graph::vertex busiest(const graph::edge_list& graph) {
  std::vector<std::uint64_t> degree(graph.vertices);
  for (const auto& e : graph.edges) degree[e.from] += e.from != e.to;
  if (degree.empty()) return weighted_graph::none;
  return static_cast<graph::vertex>(std::ranges::max_element(degree) - degree.begin());
}

} // namespace

weighted_graph::weighted_graph(const workload& w) : work_(w), source_(busiest(w.graph)) {
  check_weights(w);
  double sum = 0;
  for (std::uint64_t k = 0; k < w.graph.edges.size(); ++k) sum += weight(k);
  // Twice the mean weight is about the largest one; divided by the mean degree it is what Meyer and Sanders
  // found to be good for random weights.
  const auto edges = static_cast<double>(w.graph.edges.size());
  if (!std::isfinite(sum)) throw error("the weights of " + w.name + " add up to more than a double can hold");
  if (sum == 0) return;
  delta_ = 2 * (sum / edges) / std::max(1.0, edges / static_cast<double>(w.graph.vertices));
  delta_ = std::max(delta_, std::numeric_limits<double>::min());
}

double weighted_graph::weight(std::uint64_t k) const {
  if (!work_.graph.weights.empty()) return work_.graph.weights[k];
  const auto& e = work_.graph.edges[k];
  return static_cast<double>(graph::mix(e.from, e.to, work_.seed) >> 11) * 0x1p-53;
}

} // namespace windrow::apps
