// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/random_permutation/random_permutation.hpp"

namespace windrow::apps {

void permutation_kernel::throw_blocking() {
  context ctx(job_, blocking);
  for (std::uint64_t k = 0; k < local_darts(); ++k) {
    dart before;
    for (dart flying = local_dart(k); flying != no_dart; flying = loser(flying, before))
      ctx.fetch_min(slots_[board_.slot(flying)], flying, &before);
  }
  ctx.barrier();
}

} // namespace windrow::apps
