// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/histogram/histogram.hpp"

namespace windrow::apps {

void histogram::run_one_sided(windrow::style style) {
  context ctx(job_, style);
  for (const auto i : targets_.indices) ctx.add(table_[i], 1);
  ctx.barrier();
}

} // namespace windrow::apps
