// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/sssp/sssp.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

namespace {

constexpr std::size_t batch_size = 1 << 14; // requests under way together

} // namespace

struct sssp::request {
  graph::vertex to;
  double distance;
  double seen, before; ///< at `to`: when last looked at, when last swapped
};

void sssp::run_aggregated() {
  context ctx(job_, aggregate);
  std::vector<request> requests;
  const auto lower = [&] {
    for (auto& r : requests) ctx.atomic_fetch(distance_[r.to], &r.seen);
    ctx.quiet_own();
    for (;;) {
      std::erase_if(requests, [](const request& r) { return r.distance >= r.seen; });
      if (requests.empty()) return;
      for (auto& r : requests) ctx.compare_swap(distance_[r.to], r.seen, r.distance, &r.before);
      ctx.quiet_own();
      for (auto& r : requests) {
        if (r.before == r.seen) ctx.bit_or(improved_.word(r.to), improved_.bit(r.to));
        r.seen = r.before == r.seen ? r.distance : r.before;
      }
    }
  };

  delta_stepping([&](const arcs& edges, const std::vector<settled>& from) {
    for (const auto& u : from) {
      for (const auto& [v, weight] : edges[u.index]) {
        requests.push_back({v, u.distance + weight, 0, 0});
        if (requests.size() == batch_size) lower();
      }
    }
    lower();
    ctx.quiet();
    improved_.take([&](std::uint64_t k) { lowered(k); });
  });
}

} // namespace windrow::apps
