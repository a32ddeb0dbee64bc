// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <utility>

#include "apps/kernels/components/components.hpp"

namespace windrow::apps {

namespace {

constexpr std::size_t batch_size = 1 << 14; // links under way together

/// Two vertices, of which one tree is to be made.
struct link {
  graph::vertex low, high;
  graph::vertex before; ///< the parent of `high`
};

} // namespace

void components::run_aggregated() {
  context ctx(job_, aggregate);
  std::vector<link> links;
  const auto step = [&] {
    for (auto& l : links) {
      ctx.atomic_fetch(parent_[l.low], &l.low);
      ctx.atomic_fetch(parent_[l.high], &l.high);
    }
    ctx.quiet_own();
    std::erase_if(links, [](const link& l) { return l.low == l.high; });
    for (auto& l : links) {
      if (l.low > l.high) std::swap(l.low, l.high);
      ctx.compare_swap(parent_[l.high], l.high, l.low, &l.before);
    }
    ctx.quiet_own();
    std::erase_if(links, [](const link& l) { return l.before == l.high || l.before == l.low; });
    for (auto& l : links) l.high = l.before;
  };

  // Leaves at most `rest` links. Where many steps do not help, trees are deep.
  const auto settle = [&](std::size_t rest) {
    for (unsigned steps = 1; links.size() > rest; ++steps) {
      step();
      if (steps % 8 == 0) shorten(ctx);
    }
  };

  shorten(ctx);
  for (std::uint64_t k = 0; k < smaller_.size(); ++k) {
    for (const auto v : smaller_[k]) {
      links.push_back({v, own_.vertex(k), 0});
      if (links.size() == batch_size) settle(batch_size / 2);
    }
  }
  settle(0);
  ctx.quiet();
  shorten(ctx);
  ctx.quiet(); // not earlier: others may still be looking
}

void components::shorten(context& ctx) {
  const auto parent = parent_.local();
  std::vector<graph::vertex> old(parent.size()), next(parent.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint64_t k = 0; k < parent.size(); ++k) {
      old[k] = std::atomic_ref(parent[k]).load(std::memory_order_relaxed);
      ctx.atomic_fetch(parent_[old[k]], &next[k]);
    }
    ctx.quiet_own();
    for (std::uint64_t k = 0; k < parent.size(); ++k) {
      if (next[k] == old[k]) continue;
      std::atomic_ref(parent[k]).store(next[k], std::memory_order_relaxed); // no root: nobody else changes it
      changed = true;
    }
  }
}

} // namespace windrow::apps
