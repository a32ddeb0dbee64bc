// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/random_permutation/random_permutation.hpp"

namespace windrow::apps {

void permutation_kernel::throw_aggregated() {
  struct attempt {
    dart flying;
    dart before; ///< who was in the slot
  };
  context ctx(job_, aggregate);
  std::vector<attempt> attempts;
  for (std::uint64_t k = 0; k < local_darts(); ++k) attempts.push_back({local_dart(k), no_dart});
  while (!attempts.empty()) {
    for (auto& a : attempts) ctx.fetch_min(slots_[board_.slot(a.flying)], a.flying, &a.before);
    ctx.complete_own();
    for (auto& a : attempts) a.flying = loser(a.flying, a.before);
    std::erase_if(attempts, [](const attempt& a) { return a.flying == no_dart; });
  }
  ctx.barrier();
}

} // namespace windrow::apps
