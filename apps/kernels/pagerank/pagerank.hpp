// SPDX-License-Identifier: BSD-3-Clause
// PageRank (Page, Brin, Motwani and Winograd, "The PageRank citation ranking", 1999) by iteration. Ranks are
// whole numbers, parts of a total that is large enough: sums of them do not depend on the order, so all
// styles, on any number of PEs, find exactly the same ranks.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "apps/graph/rows.hpp"
#include "apps/kernels/kernel.hpp"
#include "apps/support/owned_array.hpp"
#include "apps/support/ownership.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

/// The arithmetic of ranks. A rank is a number of shares, of which there are `shares` for each vertex.
/// Divisions round down; what that loses is less than 10^-6 of the total for a million vertices.
struct rank_arithmetic {
  static constexpr std::uint64_t most_iterations = 20;

  explicit constexpr rank_arithmetic(std::uint64_t vertices)
      : vertices(vertices), shares(std::uint64_t{1} << (56 - std::bit_width(vertices))) {}

  /// Vertices that link to nothing give theirs to all alike, what arrives is damped by 0.85, and the rest is
  /// given to all alike.
  constexpr std::uint64_t next(std::uint64_t arrived, std::uint64_t dangling) const {
    return (15 * shares + 85 * (arrived + dangling / vertices)) / 100;
  }
  /// Whether the ranks, which changed by `change` in all, have changed by less than 10^-4 of the total.
  constexpr bool is_settled(std::uint64_t change) const { return change < shares * vertices / 10'000; }

  std::uint64_t vertices;
  std::uint64_t shares; ///< total below 2^56, so that 85 times it is still a 64-bit number
};

class pagerank final : public kernel {
 public:
  pagerank(job&, const workload&);
  void reset() override;
  std::uint64_t checksum() override;
  /// Of all iterations: their number depends on the graph, and is that of the last run, or the most before.
  std::uint64_t operations() const override { return iterations_ * targets_.values(); }

 private:
  void run_one_sided(windrow::style) override;
  void run_mailbox() override;

  /// What each target of an own vertex gets, if there is one.
  std::uint64_t contribution(std::uint64_t index) const {
    return targets_[index].empty() ? 0 : rank_[index] / targets_[index].size();
  }
  /// Makes new ranks of what arrived; true if another iteration is needed. Collective.
  bool next_ranks();

  job& job_;
  ownership own_;
  rank_arithmetic arithmetic_;
  graph::rows<graph::vertex> targets_; ///< of own vertices
  std::vector<std::uint64_t> rank_;
  owned_array<std::uint64_t, cyclic_distribution> arrived_;
  std::uint64_t iterations_ = rank_arithmetic::most_iterations;
};

sequential_answer sequential_pagerank(const workload&);

extern const kernel_entry pagerank_entry;

} // namespace windrow::apps
