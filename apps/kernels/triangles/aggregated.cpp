// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/triangles/triangles.hpp"

namespace windrow::apps {

void triangles::run_aggregated() {
  context ctx(job_, aggregate);
  auto edges = outgoing_edges(upper_);
  for (auto& e : edges) ctx.get(upper_.extent_of(e.v), &e.row_of_v);
  ctx.complete_own();
  std::vector<std::uint64_t> fetched;
  for (std::span<const outgoing_edge> rest = edges; !rest.empty();) {
    const auto chunk = take_chunk(rest);
    fetch_rows(ctx, upper_, chunk, fetched);
    found_ += triangles_of(chunk, fetched);
  }
  ctx.barrier(); // not earlier: others may still be reading rows of this PE
}

} // namespace windrow::apps
