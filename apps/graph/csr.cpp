// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/csr.hpp"

#include <algorithm>
#include <numeric>

namespace windrow::graph {

csr::csr(const edge_list& graph) : first_(graph.vertices + 1), targets_(graph.edges.size()) {
  for (const auto& e : graph.edges) ++first_[e.from];
  std::inclusive_scan(first_.begin(), first_.end(), first_.begin());
  // first_[v] is now the end of row v; filling each row from its end leaves it at the beginning.
  for (const auto& e : graph.edges) targets_[--first_[e.from]] = e.to;
  for (vertex v = 0; v < vertices(); ++v) {
    std::sort(targets_.begin() + static_cast<std::ptrdiff_t>(first_[v]),
              targets_.begin() + static_cast<std::ptrdiff_t>(first_[v + 1]));
  }
}

} // namespace windrow::graph
