// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/index_gather/index_gather.hpp"

namespace windrow::apps {

void index_gather::run_one_sided(windrow::style style) {
  context ctx(job_, style);
  auto* out = gathered_.data();
  for (const auto i : targets_.indices) ctx.get(degrees_[i], out++);
  ctx.barrier();
}

} // namespace windrow::apps
