// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/random_permutation/random_permutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "apps/kernels/support.hpp"
#include "windrow/error.hpp"

namespace windrow::apps {

const kernel_entry random_permutation_entry{
    .name = "random_permutation",
    .about =
        "throws numbers at random slots until each has one of its own: a few remote swaps for each number",
    .styles = all_styles,
    .make = make_kernel<permutation_kernel>,
    .sequential = sequential_random_permutation,
};

dart_board board_of(const workload& w) {
  return {std::max(w.graph.vertices, w.operations), w.seed};
}

permutation_kernel::permutation_kernel(job& j, const dart_board& board)
    : job_(j), board_(board), slots_(j, board.slots()), permutation_(j, board.darts) {
  if (board.darts > most_darts)
    throw error(fmt::format("a permutation of {} numbers is too long: at most 2^40", board.darts));
  reset();
}

void permutation_kernel::reset() {
  std::ranges::fill(slots_.local(), no_dart);
  std::ranges::fill(permutation_.local(), board_.darts); // none of its numbers: every run finds the same ones
  job_.barrier();
}

void permutation_kernel::run_blocking() {
  throw_blocking();
  collect_one_sided(blocking);
}
void permutation_kernel::run_aggregated() {
  throw_aggregated();
  collect_one_sided(aggregate);
}
void permutation_kernel::run_mailbox() {
  throw_mailbox();
  collect_mailbox();
}
void permutation_kernel::run_deferred() {
  throw_deferred();
  collect_one_sided(aggregate);
}

std::uint64_t permutation_kernel::first_position() const {
  const auto taken = std::ranges::count_if(slots_.local(), [](dart d) { return d != no_dart; });
  return job_.world().exclusive_scan<std::uint64_t>(static_cast<std::uint64_t>(taken), 0, std::plus<>{});
}

std::uint64_t permutation_kernel::checksum() {
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k < permutation_.local().size(); ++k)
    sum += (permutation_.global_index(k) + 1) * permutation_.local()[k];
  return sum;
}

owned_array<std::uint64_t, cyclic_distribution> random_permutation(job& j, std::uint64_t size,
                                                                   std::uint64_t seed, kernel_style s) {
  permutation_kernel darts(j, dart_board{size, seed});
  darts.run(s);
  owned_array<std::uint64_t, cyclic_distribution> result(j, size);
  context ctx(j, aggregate);
  for (std::uint64_t k = 0; k < result.local().size(); ++k)
    ctx.get(darts.permutation()[result.global_index(k)], &result.local()[k]);
  ctx.barrier();
  return result;
}

} // namespace windrow::apps
