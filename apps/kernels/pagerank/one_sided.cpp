// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/pagerank/pagerank.hpp"

namespace windrow::apps {

void pagerank::run_one_sided(windrow::style style) {
  context ctx(job_, style);
  do {
    for (std::uint64_t k = 0; k < targets_.size(); ++k) {
      const auto part = contribution(k);
      for (const auto v : targets_[k]) ctx.add(arrived_[v], part);
    }
    ctx.barrier();
  } while (next_ranks());
}

} // namespace windrow::apps
