// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/bfs/bfs.hpp"
#include "windrow/one_sided.hpp"

namespace windrow::apps {

void bfs::search_blocking() {
  while (next_level()) {
    for (const auto k : current_) {
      for (const auto v : neighbours_[k]) {
        if (is_first_offer(v) && compare_swap(job_, parent_[v], none, own_.vertex(k)) == none)
          bit_or(job_, reached_.word(v), reached_.bit(v));
      }
    }
    job_.barrier();
    reached_.take([&](std::uint64_t k) { found(k); });
  }
}

} // namespace windrow::apps
