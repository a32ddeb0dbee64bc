// SPDX-License-Identifier: BSD-3-Clause
// Random permutation: scattered attempts that may fail.
#pragma once

#include <vector>

#include "apps/kernels/kernel.hpp"
#include "apps/kernels/random_permutation/darts.hpp"
#include "apps/support/owned_array.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

/// A random permutation of 0 … size - 1, which depends on the size and the seed only. Collective. Throws
/// windrow::error if there are more than 2^40 numbers.
owned_array<std::uint64_t, cyclic_distribution> random_permutation(job&, std::uint64_t size,
                                                                   std::uint64_t seed,
                                                                   kernel_style = kernel_style::mailbox);

/// What the kernel does for a workload.
dart_board board_of(const workload&);

/// Permutes as many numbers as the graph has vertices, or `workload::operations` if that is more.
class permutation_kernel final : public kernel {
 public:
  permutation_kernel(job& j, const workload& w) : permutation_kernel(j, board_of(w)) {}
  permutation_kernel(job&, const dart_board&);
  void reset() override;
  std::uint64_t checksum() override;
  std::uint64_t operations() const override { return permutation_.local().size(); }

  const array<std::uint64_t>& permutation() const { return permutation_; }

 private:
  void run_blocking() override;
  void run_aggregated() override;
  void run_mailbox() override;
  void run_deferred() override;
  void run_annotated() override;

  void throw_blocking();
  void throw_aggregated();
  void throw_mailbox();
  void throw_deferred();
  void throw_deferred(context&, dart flying);
  void collect_one_sided(windrow::style);
  void collect_mailbox();

  /// The darts of this PE are those whose numbers its part of the permutation has as positions.
  std::uint64_t local_darts() const { return permutation_.local().size(); }
  dart local_dart(std::uint64_t k) const { return first_throw(permutation_.global_index(k)); }
  /// The place in the permutation of the first dart in this PE's slots.
  std::uint64_t first_position() const;

  job& job_;
  dart_board board_;
  owned_array<dart> slots_; ///< who is there
  owned_array<std::uint64_t> permutation_;
};

/// The same permutation by a plain loop.
std::vector<std::uint64_t> sequential_permutation(const dart_board&);
sequential_answer sequential_random_permutation(const workload&);

extern const kernel_entry random_permutation_entry;

} // namespace windrow::apps
