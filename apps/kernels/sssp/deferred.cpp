// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/deferred.hpp"
#include "apps/kernels/sssp/sssp.hpp"

namespace windrow::apps {

// As aggregated: a look comes first.
void sssp::run_deferred() {
  context ctx(job_, aggregate);
  delta_stepping(
      [&](graph::vertex v, double distance) {
        ctx.atomic_fetch(distance_[v]).then([this, &ctx, v, distance](double seen) {
          if (distance < seen) improve(ctx, v, distance);
        });
      },
      [&](auto offer_all) {
        offer_all();
        ctx.barrier();
        take_improved();
      });
}

void sssp::improve(context& ctx, graph::vertex v, double distance) {
  ctx.fetch_min(distance_[v], distance)
      .then_at_owner([distance, improve_v = improved_.adding(v)](double before, const owner& here) {
        if (distance < before) improve_v(here);
      });
}

} // namespace windrow::apps
