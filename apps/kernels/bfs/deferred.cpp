// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/deferred.hpp"
#include "apps/kernels/bfs/bfs.hpp"

namespace windrow::apps {

void bfs::run_deferred() {
  context ctx(job_, aggregate);
  while (next_narrow_level()) {
    for_each_offer([&](graph::vertex u, graph::vertex v) {
      ctx.compare_swap(parent_[v], none, u)
          .then_at_owner([reach_v = reached_.adding(v)](graph::vertex before, const owner& here) {
            if (before == none) reach_v(here);
          });
    });
    ctx.barrier();
    reached_.take([&](std::uint64_t k) { found(k); });
  }
}

} // namespace windrow::apps
