// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/index_gather/index_gather.hpp"

#include <algorithm>

namespace windrow::apps {

const kernel_entry index_gather_entry{
    .name = "index_gather",
    .about = "fetches the degree of the vertex that each edge ends at: one remote read for each edge",
    .styles = annotatable_styles,
    .make = make_kernel<index_gather>,
    .sequential = sequential_index_gather,
};

index_gather::index_gather(job& j, const workload& w)
    : job_(j), targets_(j, w), degrees_(j, w.graph.vertices), gathered_(targets_.indices.size()) {
  std::vector<std::uint64_t> degrees(w.graph.vertices);
  for (const auto& e : w.graph.edges) ++degrees[e.to];
  for (std::uint64_t k = 0; k < degrees_.local().size(); ++k)
    degrees_.local()[k] = degrees[degrees_.global_index(k)];
  j.barrier();
}

void index_gather::reset() {
  std::ranges::fill(gathered_, 0);
}

} // namespace windrow::apps
