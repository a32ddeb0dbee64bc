// SPDX-License-Identifier: BSD-3-Clause
// In rounds. Between them all trees are flat. In a round every link between two trees hooks the larger root
// to the smaller one; of several that hook the same root the least wins. The others are forgotten, and so
// links stay until their ends are in one tree. Most are after the first step, which hooks every vertex to one
// neighbour (Sutton, Ben-Nun and Barak, "Optimizing parallel graph connectivity computation via subgraph
// sampling", IPDPS 2018).
#include <algorithm>
#include <atomic>
#include <utility>

#include "apps/kernels/components/components.hpp"

namespace windrow::apps {

namespace {

constexpr std::size_t batch_size = 1 << 14; // links looked at together

struct link {
  std::uint64_t own; ///< number of an own vertex
  graph::vertex other;
  graph::vertex root_of_other;
};

} // namespace

void components::run_aggregated() {
  context ctx(job_, aggregate);
  const auto parent = parent_.local();
  std::vector<link> batch, left;
  const auto hook = [&] {
    for (auto& l : batch) ctx.atomic_fetch(parent_[l.other], &l.root_of_other);
    ctx.complete_own();
    for (const auto& l : batch) {
      const auto [low, high] = std::minmax(parent[l.own], l.root_of_other);
      if (low == high) continue;
      ctx.min(parent_[high], low);
      left.push_back(l);
    }
    batch.clear();
  };
  const auto add = [&](const link& l) {
    batch.push_back(l);
    if (batch.size() == batch_size) hook();
  };

  const auto end_round = [&] {
    hook();
    ctx.barrier();
    shorten(ctx);
    return job_.world().sum(left.size()); // and nobody is looking any more
  };

  end_round();
  for (std::uint64_t sample = 1; sample <= samples; ++sample) {
    for (std::uint64_t k = 0; k < smaller_.size(); ++k) {
      if (sample < smaller_[k].size()) add({k, smaller_[k][sample], 0});
    }
    end_round();
  }
  for (std::uint64_t k = 0; k < smaller_.size(); ++k) {
    for (std::size_t n = samples + 1; n < smaller_[k].size(); ++n) add({k, smaller_[k][n], 0});
  }
  while (end_round() > 0) {
    for (const auto& l : std::exchange(left, {})) add(l);
  }
}

void components::shorten(context& ctx) {
  struct climber {
    std::uint64_t own;
    graph::vertex parent, grandparent;
  };
  const auto parent = parent_.local();
  std::vector<climber> climbers;
  for (std::uint64_t k = 0; k < parent.size(); ++k) {
    if (parent[k] != own_.vertex(k)) climbers.push_back({k, parent[k], 0});
  }
  while (!climbers.empty()) {
    for (auto& c : climbers) ctx.atomic_fetch(parent_[c.parent], &c.grandparent);
    ctx.complete_own();
    std::erase_if(climbers, [](const climber& c) { return c.grandparent == c.parent; });
    for (auto& c : climbers) {
      c.parent = c.grandparent;
      std::atomic_ref(parent[c.own]).store(c.parent, std::memory_order_relaxed); // others look at it
    }
  }
}

} // namespace windrow::apps
