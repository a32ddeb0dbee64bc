// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/bfs/bfs.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

namespace {

constexpr std::size_t batch_size = 1 << 14; // offers under way together

struct offer {
  graph::vertex parent, child;
  graph::vertex seen; ///< the child's parent, before the offer
};

} // namespace

// Nobody asks who came first: of several parents that a vertex gets on one level, each one is right.
void bfs::run_aggregated() {
  context ctx(job_, aggregate);
  std::vector<offer> offers;
  const auto make_offers = [&] {
    for (auto& o : offers) ctx.atomic_fetch(parent_[o.child], &o.seen);
    ctx.complete_own();
    std::erase_if(offers, [](const offer& o) { return o.seen != none; });
    for (const auto& o : offers) ctx.put(parent_[o.child], o.parent);
    for (const auto& o : offers) ctx.bit_or(reached_.word(o.child), reached_.bit(o.child));
    offers.clear();
  };

  while (next_narrow_level()) {
    for_each_offer([&](graph::vertex u, graph::vertex v) {
      offers.push_back({u, v, none});
      if (offers.size() == batch_size) make_offers();
    });
    make_offers();
    ctx.barrier();
    reached_.take([&](std::uint64_t k) { found(k); });
  }
}

} // namespace windrow::apps
