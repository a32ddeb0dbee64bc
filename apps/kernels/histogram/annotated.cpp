// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/annotated.hpp"
#include "apps/kernels/histogram/histogram.hpp"

namespace windrow::apps {

void histogram::run_annotated() {
  const annotated_context ctx;
  histogram_loop(ctx, targets_.indices.data(), targets_.indices.size(), table_.local().data(),
                 block_of(table_, job_.pes()));
  job_.barrier();
}

} // namespace windrow::apps
