// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/random_permutation/random_permutation.hpp"

namespace windrow::apps {

void permutation_kernel::collect_one_sided(windrow::style style) {
  context ctx(job_, style);
  auto position = first_position();
  for (const auto d : slots_.local()) {
    if (d != no_dart) ctx.put(permutation_[position++], number_of(d));
  }
  ctx.barrier();
}

} // namespace windrow::apps
