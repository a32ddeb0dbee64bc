// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "apps/graph/sequential.hpp"
#include "apps/kernels/index_gather/index_gather.hpp"

namespace windrow::apps {

sequential_answer sequential_index_gather(const workload& w) {
  const auto degrees = graph::in_degrees(w.graph);
  const auto sweeps = sweeps_over_edges(w);
  std::vector<std::uint64_t> gathered(w.graph.edges.size());
  const auto seconds = seconds_of([&] {
    for (std::uint64_t s = 0; s < sweeps; ++s) {
      auto* out = gathered.data();
      for (const auto& e : w.graph.edges) *out++ = degrees[e.to];
    }
  });
  return {sweeps * graph::position_checksum(gathered), seconds};
}

} // namespace windrow::apps
