// SPDX-License-Identifier: BSD-3-Clause
// Rem's algorithm, as with mailboxes: what goes on with a message there is a continuation here. A look comes
// first, since most links turn out to be within one tree, as soon as some have been joined.
#include <algorithm>
#include <limits>

#include "apps/kernels/components/components.hpp"
#include "windrow/deferred.hpp"

namespace windrow::apps {

void components::run_deferred() {
  context ctx(job_, aggregate);
  shorten(ctx);
  job_.barrier();
  join_links(ctx, 1, 1 + samples);
  shorten(ctx);
  job_.barrier();
  join_links(ctx, 1 + samples, std::numeric_limits<std::size_t>::max());
  shorten(ctx);
  ctx.barrier(); // not earlier: others may still be looking
}

void components::join_links(context& ctx, std::size_t first, std::size_t end) {
  for (std::uint64_t k = 0; k < smaller_.size(); ++k) {
    const auto& mine = parent_.local()[k];
    for (auto n = first; n < std::min(end, smaller_[k].size()); ++n)
      ctx.atomic_fetch(parent_[smaller_[k][n]]).then([this, &ctx, &mine](graph::vertex other) {
        join(ctx, std::min(mine, other), std::max(mine, other));
      });
  }
  ctx.barrier();
}

void components::join(context& ctx, graph::vertex low, graph::vertex high) {
  if (low == high) return;
  ctx.fetch_min(parent_[high], low).then([this, &ctx, low, high](graph::vertex before) {
    if (before == high) return; // a root until now
    join(ctx, std::min(before, low), std::max(before, low));
  });
}

} // namespace windrow::apps
