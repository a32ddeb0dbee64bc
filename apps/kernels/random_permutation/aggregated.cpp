// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/random_permutation/random_permutation.hpp"

namespace windrow::apps {

namespace {

struct attempt {
  dart flying;
  dart expected; ///< who is thought to be in the slot
  dart found;    ///< who was
};

/// The attempt after this one; `flying` is `no_dart` if none is needed.
attempt after(const attempt& a) {
  if (a.found == a.expected) // it has the slot, and who was there flies on
    return {a.found == no_dart ? no_dart : next_throw(a.found), no_dart, {}};
  if (a.flying < a.found) return {a.flying, a.found, {}};
  return {next_throw(a.flying), no_dart, {}};
}

} // namespace

void permutation_kernel::throw_aggregated() {
  context ctx(job_, aggregate);
  std::vector<attempt> attempts;
  for (std::uint64_t k = 0; k < local_darts(); ++k) attempts.push_back({local_dart(k), no_dart, {}});
  while (!attempts.empty()) {
    for (auto& a : attempts) ctx.compare_swap(slots_[board_.slot(a.flying)], a.expected, a.flying, &a.found);
    ctx.quiet_own();
    for (auto& a : attempts) a = after(a);
    std::erase_if(attempts, [](const attempt& a) { return a.flying == no_dart; });
  }
  ctx.quiet();
}

} // namespace windrow::apps
