// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/sssp/sssp.hpp"

#include <algorithm>
#include <bit>

namespace windrow::apps {

const kernel_entry sssp_entry{
    .name = "sssp",
    .about =
        "finds the shortest paths from the vertex with most edges, by delta stepping: offers of a "
        "distance, at least one for each edge",
    .styles = cpp_styles,
    .make = make_kernel<sssp>,
    .sequential = sequential_sssp,
};

sssp::sssp(job& j, const workload& w) : sssp(j, weighted_graph(w), w.graph) {}

sssp::sssp(job& j, const weighted_graph& weights, const graph::edge_list& graph)
    : job_(j),
      own_(j, graph.vertices),
      source_(weights.source()),
      delta_(weights.delta()),
      light_(my_arcs(weights, graph, true)),
      heavy_(my_arcs(weights, graph, false)),
      distance_(j, graph.vertices),
      improved_(j, own_),
      relaxed_(own_.count()) {}

sssp::arcs sssp::my_arcs(const weighted_graph& weights, const graph::edge_list& graph, bool light) const {
  return {own_.count(), [&](auto take) {
            for (std::uint64_t k = 0; k < graph.edges.size(); ++k) {
              const auto& e = graph.edges[k];
              if (own_.is_mine(e.from) && (weights.weight(k) <= delta_) == light)
                take(own_.index(e.from), arc{e.to, weights.weight(k)});
            }
          }};
}

void sssp::begin() {
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  std::ranges::fill(distance_.local(), infinity);
  std::ranges::fill(relaxed_, infinity);
  if (source_ == weighted_graph::none || !own_.is_mine(source_)) return;
  distance_.local()[own_.index(source_)] = 0;
  lowered(own_.index(source_));
}

std::uint64_t sssp::first_bucket() const {
  return job_.world().min(buckets_.empty() ? weighted_graph::none : buckets_.begin()->first);
}

std::vector<sssp::settled> sssp::take(std::uint64_t number) {
  std::vector<settled> taken;
  auto node = buckets_.extract(number);
  if (node.empty()) return taken;
  for (const auto k : node.mapped()) {
    const auto distance = distance_.local()[k];
    if (relaxed_[k] == distance) continue; // it was here twice, or has left for a nearer bucket
    relaxed_[k] = distance;
    taken.push_back({k, distance});
  }
  return taken;
}

void sssp::lowered(std::uint64_t index) {
  buckets_[bucket_of(distance_.local()[index])].push_back(index);
}

void sssp::take_improved() {
  improved_.take([this](std::uint64_t k) { lowered(k); });
}

std::uint64_t sssp::checksum() {
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k < own_.count(); ++k)
    sum += (own_.vertex(k) + 1) * std::bit_cast<std::uint64_t>(distance_.local()[k]);
  return sum;
}

} // namespace windrow::apps
