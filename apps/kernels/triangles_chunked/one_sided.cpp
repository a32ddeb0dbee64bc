// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/triangles_chunked/parts.hpp"
#include "apps/kernels/triangles_chunked/triangles_chunked.hpp"

namespace windrow::apps {

void triangles_chunked::run_one_sided(windrow::style style) {
  context ctx(job_, style);
  auto edges = outgoing_edges(upper_);
  for (auto& e : edges) ctx.get(upper_.extent_of(e.v), &e.row_of_v);
  ctx.complete_own();
  std::vector<std::uint64_t> fetched;
  for (std::span<const outgoing_edge> rest = edges; !rest.empty();) {
    const auto chunk = take_chunk(rest);
    fetch_rows(ctx, upper_, chunk, fetched);
    finish([&] {
      share_among_workers(chunk, [&, first = chunk.data()](std::span<const outgoing_edge> part) {
        std::uint64_t skipped = 0; // of the fetched rows, those of the parts before
        for (const auto* e = first; e != part.data(); ++e) skipped += e->row_of_v.size;
        found_ += triangles_of(part, std::span(fetched).subspan(skipped));
      });
    });
  }
  ctx.barrier(); // not earlier: others may still be reading rows of this PE
}

} // namespace windrow::apps
