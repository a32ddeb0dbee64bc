// SPDX-License-Identifier: BSD-3-Clause
// Rem's algorithm, as with mailboxes: what goes on with a message there is a continuation here. A look comes
// first, since most links turn out to be within one tree.
#include <algorithm>

#include "apps/kernels/components/components.hpp"
#include "windrow/deferred.hpp"

namespace windrow::apps {

void components::run_deferred() {
  context ctx(job_, aggregate);
  shorten(ctx);
  job_.barrier();
  for (std::uint64_t k = 0; k < smaller_.size(); ++k) {
    const auto& mine = parent_.local()[k];
    for (const auto v : smaller_[k])
      ctx.atomic_fetch(parent_[v]).then([this, &ctx, &mine](graph::vertex other) {
        join(ctx, std::min(mine, other), std::max(mine, other));
      });
  }
  ctx.quiet();
  shorten(ctx);
  ctx.quiet(); // not earlier: others may still be looking
}

void components::join(context& ctx, graph::vertex low, graph::vertex high) {
  if (low == high) return;
  ctx.fetch_min(parent_[high], low).then([this, &ctx, low, high](graph::vertex before) {
    if (before == high) return; // a root until now
    join(ctx, std::min(before, low), std::max(before, low));
  });
}

} // namespace windrow::apps
