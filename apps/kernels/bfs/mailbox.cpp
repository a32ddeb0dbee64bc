// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/mailbox.hpp"
#include "apps/kernels/bfs/bfs.hpp"

namespace windrow::apps {

namespace {

struct parent_offer {
  std::uint64_t child; ///< its number on its owner
  graph::vertex parent;
};

} // namespace

void bfs::run_mailbox() {
  const auto parent = parent_.local();
  mailbox<parent_offer> offers(job_, [&](parent_offer o) {
    if (parent[o.child] != none) return;
    parent[o.child] = o.parent;
    found(o.child);
  });
  while (next_narrow_level()) {
    offers.run([&] {
      for_each_offer([&](graph::vertex u, graph::vertex v) {
        offers.send(parent_.owner(v), {parent_.local_index(v), u});
      });
    });
  }
}

} // namespace windrow::apps
