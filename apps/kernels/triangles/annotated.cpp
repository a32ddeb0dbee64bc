// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/annotated.hpp"
#include "apps/kernels/triangles/triangles.hpp"

namespace windrow::apps {

void triangles::run_annotated() {
  const rows_in_c from(job_, upper_);
  const annotated_context ctx;
  found_ += triangles_loop(ctx, from, extents_in_c(upper_), entries_in_c(job_, upper_));
  job_.barrier(); // others may still be reading rows of this PE
}

} // namespace windrow::apps
