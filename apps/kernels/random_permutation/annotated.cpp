// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "apps/kernels/annotated.hpp"
#include "apps/kernels/random_permutation/random_permutation.hpp"

namespace windrow::apps {

void permutation_kernel::run_annotated() {
  {
    const annotated_context ctx;
    const annotated_board board{slots_.local().data(), slots_.size(), block_of(slots_, job_.pes()),
                                board_.seed};
    std::vector<dart> flying, expected(local_darts()), before(local_darts());
    for (std::uint64_t k = 0; k < local_darts(); ++k) flying.push_back(local_dart(k));
    darts_loop(ctx, &board, flying.data(), expected.data(), before.data(), flying.size());
  }
  job_.barrier();
  collect_one_sided(aggregate);
}

} // namespace windrow::apps
