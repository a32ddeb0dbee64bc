// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/sssp/sssp.hpp"
#include "windrow/one_sided.hpp"

namespace windrow::apps {

void sssp::run_blocking() {
  delta_stepping(
      [&](graph::vertex v, double distance) {
        if (distance < fetch_min(job_, distance_[v], distance))
          bit_or(job_, improved_.word(v), improved_.bit(v));
      },
      [&](auto offer_all) {
        offer_all();
        job_.barrier();
        take_improved();
      });
}

} // namespace windrow::apps
