// SPDX-License-Identifier: BSD-3-Clause
// Level by level.
#include <utility>

#include "apps/kernels/influence/influence.hpp"

namespace windrow::apps {

namespace {

/// Cascades that have just come to an own vertex.
struct arrival {
  std::uint64_t index;
  cascade_set fresh;
};

} // namespace

void influence::run_one_sided(windrow::style style) {
  context ctx(job_, style);
  std::vector<arrival> arrivals;
  for (;;) {
    arrivals.clear();
    for (std::uint64_t k = 0; k < reached_.size(); ++k) {
      const auto fresh = std::exchange(arriving_.local()[k], 0) & ~reached_[k];
      reached_[k] |= fresh;
      if (fresh != 0) arrivals.push_back({k, fresh});
    }
    if (job_.world().sum(arrivals.size()) == 0) return;
    for (const auto& [k, fresh] : arrivals) {
      for (const auto& [to, along] : edges_[k]) {
        if ((fresh & along) != 0) ctx.bit_or(arriving_[to], fresh & along);
      }
    }
    ctx.quiet();
  }
}

} // namespace windrow::apps
