// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/mailbox.hpp"
#include "apps/kernels/sssp/sssp.hpp"

namespace windrow::apps {

namespace {

struct distance_offer {
  std::uint64_t to; ///< its number on its owner
  double distance;
};

} // namespace

void sssp::run_mailbox() {
  const auto distance = distance_.local();
  mailbox<distance_offer> offers(job_, [&](distance_offer o) {
    if (o.distance >= distance[o.to]) return;
    distance[o.to] = o.distance;
    lowered(o.to);
  });
  delta_stepping(
      [&](graph::vertex v, double distance) {
        offers.send(distance_.owner(v), {distance_.local_index(v), distance});
      },
      [&](auto offer_all) { offers.run(offer_all); });
}

} // namespace windrow::apps
