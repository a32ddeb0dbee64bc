// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/deferred.hpp"
#include "apps/kernels/random_permutation/random_permutation.hpp"

namespace windrow::apps {

void permutation_kernel::throw_deferred() {
  context ctx(job_, aggregate);
  for (std::uint64_t k = 0; k < local_darts(); ++k) throw_deferred(ctx, local_dart(k));
  ctx.barrier();
}

void permutation_kernel::throw_deferred(context& ctx, dart flying) {
  ctx.fetch_min(slots_[board_.slot(flying)], flying).then([this, &ctx, flying](dart before) {
    if (const auto next = loser(flying, before); next != no_dart) throw_deferred(ctx, next);
  });
}

} // namespace windrow::apps
