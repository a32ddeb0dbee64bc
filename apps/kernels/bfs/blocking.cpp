// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/bfs/bfs.hpp"
#include "windrow/one_sided.hpp"

namespace windrow::apps {

void bfs::run_blocking() {
  while (next_narrow_level()) {
    for_each_offer([&](graph::vertex u, graph::vertex v) {
      if (compare_swap(job_, parent_[v], none, u) == none) bit_or(job_, reached_.word(v), reached_.bit(v));
    });
    job_.barrier();
    reached_.take([&](std::uint64_t k) { found(k); });
  }
}

} // namespace windrow::apps
