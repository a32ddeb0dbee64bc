// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "apps/graph/sequential.hpp"
#include "apps/kernels/histogram/histogram.hpp"

namespace windrow::apps {

sequential_answer sequential_histogram(const workload& w) {
  std::vector<std::uint64_t> table(w.graph.vertices);
  const auto sweeps = sweeps_over_edges(w);
  const auto seconds = seconds_of([&] {
    for (std::uint64_t s = 0; s < sweeps; ++s) {
      for (const auto& e : w.graph.edges) ++table[e.to];
    }
  });
  return {graph::position_checksum(table), seconds};
}

} // namespace windrow::apps
