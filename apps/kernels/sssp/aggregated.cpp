// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/sssp/sssp.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

namespace {

constexpr std::size_t batch_size = 1 << 14; // offers looked at together

struct offer {
  graph::vertex to;
  double distance;
  double seen; ///< at `to`
};

} // namespace

// Most offers are no better than what is there, and a look tells so for less than an operation costs.
void sssp::run_aggregated() {
  context ctx(job_, aggregate);
  std::vector<offer> offers;
  const auto make_offers = [&] {
    for (auto& o : offers) ctx.atomic_fetch(distance_[o.to], &o.seen);
    ctx.complete_own();
    std::erase_if(offers, [](const offer& o) { return o.distance >= o.seen; });
    for (const auto& o : offers) ctx.min(distance_[o.to], o.distance);
    for (const auto& o : offers) ctx.bit_or(improved_.word(o.to), improved_.bit(o.to));
    offers.clear();
  };
  delta_stepping(
      [&](graph::vertex v, double distance) {
        offers.push_back({v, distance, 0});
        if (offers.size() == batch_size) make_offers();
      },
      [&](auto offer_all) {
        offer_all();
        make_offers();
        ctx.barrier();
        take_improved();
      });
}

} // namespace windrow::apps
