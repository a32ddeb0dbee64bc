// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/support.hpp"

#include <algorithm>

namespace windrow::apps {

std::uint64_t sweeps_over_edges(const workload& w) {
  const auto edges = std::max<std::uint64_t>(1, w.graph.edges.size());
  return std::max<std::uint64_t>(1, (w.operations + edges - 1) / edges);
}

edge_targets::edge_targets(const job& j, const workload& w) : edges(share_of(j, w.graph.edges.size())) {
  const auto sweeps = sweeps_over_edges(w);
  indices.reserve(sweeps * edges.size);
  for (std::uint64_t s = 0; s < sweeps; ++s) {
    for (std::uint64_t k = 0; k < edges.size; ++k) indices.push_back(w.graph.edges[edges.first + k].to);
  }
}

std::uint64_t edge_targets::checksum(const std::vector<std::uint64_t>& values) const {
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k < values.size(); ++k) sum += (edges.first + k % edges.size + 1) * values[k];
  return sum;
}

} // namespace windrow::apps
