// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/jaccard/jaccard.hpp"

namespace windrow::apps {

void jaccard::run_deferred() {
  context ctx(job_, aggregate);
  for (std::uint64_t k = 0; k < lower_.size(); ++k) {
    for (const auto v : lower_[k]) compare_deferred(ctx, k, v);
  }
  ctx.quiet();
}

windrow::deferred jaccard::compare_deferred(context& ctx, std::uint64_t upper, graph::vertex lower) {
  const auto row = co_await ctx.get(neighbours_.extent_of(lower));
  auto neighbour = neighbours_.row(lower, row);
  std::uint64_t common = 0;
  for (std::uint32_t n = 0; n < row.size; ++n, neighbour += 1)
    common += sets_.contains(upper, co_await ctx.get(*neighbour));
  found(upper, lower, row.size, common);
}

} // namespace windrow::apps
