// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/deferred.hpp"
#include "apps/kernels/jaccard/jaccard.hpp"

namespace windrow::apps {

// The row of a lower end is fetched once for all of its upper ends that are here.
void jaccard::run_deferred() {
  context ctx(job_, aggregate);
  for (const auto v : all_lower_)
    ctx.get(neighbours_.extent_of(v)).then([this, &ctx, v](sparse_matrix<>::extent at) {
      ctx.get(neighbours_.row(v, at), at.size).then([this, v](std::span<const graph::vertex> row) {
        compare_with_upper(v, row);
      });
    });
  ctx.barrier();
}

} // namespace windrow::apps
