// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/jaccard/jaccard.hpp"

namespace windrow::apps {

void jaccard::run_deferred() {
  context ctx(job_, aggregate);
  for (const auto v : all_lower_) compare_when_fetched(ctx, v);
  ctx.quiet();
}

// A row is fetched once for all of its upper ends that are here.
windrow::deferred jaccard::compare_when_fetched(context& ctx, graph::vertex lower) {
  const auto extent = co_await ctx.get(neighbours_.extent_of(lower));
  auto at = neighbours_.row(lower, extent);
  std::vector<graph::vertex> row(extent.size);
  for (auto& v : row) {
    v = co_await ctx.get(*at);
    at += 1;
  }
  compare_with_upper(lower, row);
}

} // namespace windrow::apps
