// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/influence/influence.hpp"

namespace windrow::apps {

void influence::run_one_sided(windrow::style style) {
  context ctx(job_, style);
  while (next_level()) {
    for (const auto& [k, fresh] : arrivals_) {
      for (const auto& [to, along] : edges_[k]) {
        if ((fresh & along) != 0) ctx.bit_or(arriving_[to], fresh & along);
      }
    }
    ctx.barrier();
  }
}

} // namespace windrow::apps
