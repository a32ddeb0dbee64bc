// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/triangles/triangles.hpp"

namespace windrow::apps {

void triangles::run_blocking() {
  context ctx(job_, blocking);
  std::vector<std::uint64_t> row_of_v;
  for (auto& e : outgoing_edges(upper_)) {
    ctx.get(upper_.extent_of(e.v), &e.row_of_v);
    row_of_v.resize(e.row_of_v.size);
    ctx.get(upper_.row(e.v, e.row_of_v), std::span(row_of_v));
    found_ += common(e.after_v, row_of_v);
  }
  ctx.barrier(); // not earlier: others may still be reading rows of this PE
}

} // namespace windrow::apps
