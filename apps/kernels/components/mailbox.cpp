// SPDX-License-Identifier: BSD-3-Clause
// A message joins the trees of two vertices. It goes to the larger one. If that is no root it makes the
// smaller one its parent, if it can, and the message goes on with what is left to be joined (after Rem, in
// Dijkstra, "A discipline of programming", 1976).
#include <algorithm>
#include <utility>

#include "apps/kernels/components/components.hpp"
#include "windrow/mailbox.hpp"
#include "windrow/selector.hpp"

namespace windrow::apps {

namespace {

struct hook_request {
  graph::vertex low, high;
};
struct question {
  graph::vertex asker, parent;
};
struct answer {
  graph::vertex asker, grandparent;
};

} // namespace

void components::run_mailbox() {
  const auto parent = parent_.local();
  mailbox<hook_request> links(job_, [&](auto& out, hook_request l) {
    auto& p = parent[parent_.local_index(l.high)];
    const auto old = std::exchange(p, std::min(p, l.low));
    if (old == l.high || old == l.low) return;
    const auto [low, high] = std::minmax(old, l.low);
    out.send(parent_.owner(high), hook_request{low, high});
  });
  links.run([&] {
    for (std::uint64_t k = 0; k < smaller_.size(); ++k) {
      for (const auto v : smaller_[k]) links.send(job_.pe(), {v, own_.vertex(k)});
    }
  });

  bool changed = false;
  selector<question, answer> jumps(
      job_, [&](auto& out, question q) { out.reply(answer{q.asker, parent[parent_.local_index(q.parent)]}); },
      [&](answer a) {
        auto& p = parent[parent_.local_index(a.asker)];
        changed |= std::exchange(p, a.grandparent) != a.grandparent;
      });
  do {
    changed = false;
    jumps.run([&] {
      for (std::uint64_t k = 0; k < own_.count(); ++k)
        jumps.send(parent_.owner(parent[k]), question{own_.vertex(k), parent[k]});
    });
  } while (job_.world().max(static_cast<int>(changed)) != 0);
}

} // namespace windrow::apps
