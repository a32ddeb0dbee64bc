// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/mailbox.hpp"
#include "apps/kernels/pagerank/pagerank.hpp"

namespace windrow::apps {

namespace {

struct rank_part {
  std::uint64_t to; ///< its number on its owner
  std::uint64_t shares;
};

} // namespace

void pagerank::run_mailbox() {
  const auto arrived = arrived_.local();
  mailbox<rank_part> parts(job_, [&](rank_part p) { arrived[p.to] += p.shares; });
  do {
    parts.run([&] {
      for (std::uint64_t k = 0; k < targets_.size(); ++k) {
        const auto shares = contribution(k);
        for (const auto v : targets_[k]) parts.send(arrived_.owner(v), {arrived_.local_index(v), shares});
      }
    });
  } while (next_ranks());
}

} // namespace windrow::apps
