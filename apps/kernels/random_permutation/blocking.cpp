// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/random_permutation/random_permutation.hpp"

namespace windrow::apps {

void permutation_kernel::throw_blocking() {
  context ctx(job_, blocking);
  for (std::uint64_t k = 0; k < local_darts(); ++k) {
    dart flying = local_dart(k), expected = no_dart;
    while (flying != no_dart) {
      dart found;
      ctx.compare_swap(slots_[board_.slot(flying)], expected, flying, &found);
      if (found == expected) { // it has the slot, and who was there flies on
        flying = found == no_dart ? no_dart : next_throw(found);
        expected = no_dart;
      } else if (flying < found) {
        expected = found;
      } else {
        flying = next_throw(flying);
        expected = no_dart;
      }
    }
  }
  ctx.quiet();
}

} // namespace windrow::apps
