// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/jaccard/jaccard.hpp"
#include "apps/matrix/row_fetcher.hpp"

namespace windrow::apps {

// The row of a lower end is fetched once for all of its upper ends that are here.
void jaccard::run_deferred() {
  context ctx(job_, aggregate);
  row_fetcher rows(ctx, neighbours_, [this](graph::vertex v, std::span<const graph::vertex> row) {
    compare_with_upper(v, row);
  });
  for (const auto v : all_lower_) rows.fetch(v);
  ctx.barrier();
}

} // namespace windrow::apps
