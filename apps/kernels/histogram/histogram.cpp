// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/histogram/histogram.hpp"

#include <algorithm>

namespace windrow::apps {

const kernel_entry histogram_entry{
    .name = "histogram",
    .about = "counts how many edges end at each vertex: one remote increment for each edge",
    .styles = annotated_without_deferral,
    .make = make_kernel<histogram>,
    .sequential = sequential_histogram,
};

histogram::histogram(job& j, const workload& w) : job_(j), targets_(j, w), table_(j, w.graph.vertices) {}

void histogram::reset() {
  std::ranges::fill(table_.local(), 0);
  job_.barrier();
}

std::uint64_t histogram::checksum() {
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k < table_.local().size(); ++k)
    sum += (table_.global_index(k) + 1) * table_.local()[k];
  return sum;
}

} // namespace windrow::apps
