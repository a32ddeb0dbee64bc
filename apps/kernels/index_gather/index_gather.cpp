// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/index_gather/index_gather.hpp"

#include <algorithm>

namespace windrow::apps {

const kernel_entry index_gather_entry{
    .name = "index_gather",
    .about = "fetches the degree of the vertex that each edge ends at: one remote read for each edge",
    .styles = all_styles,
    .make = make_kernel<index_gather>,
    .sequential = sequential_index_gather,
};

index_gather::index_gather(job& j, const workload& w)
    : job_(j), targets_(j, w), degrees_(j, w.graph.vertices), gathered_(targets_.indices.size()) {
  count_degrees();
}

// Each PE looks at its share of the edges, not at all of them.
void index_gather::count_degrees() {
  context ctx(job_, aggregate);
  const auto once = targets_.indices.begin() + static_cast<std::ptrdiff_t>(targets_.edges.size);
  for (auto target = targets_.indices.begin(); target != once; ++target) ctx.add(degrees_[*target], 1);
  ctx.barrier();
}

void index_gather::reset() {
  std::ranges::fill(gathered_, 0);
}

} // namespace windrow::apps
