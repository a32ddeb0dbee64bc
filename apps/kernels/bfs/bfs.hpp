// SPDX-License-Identifier: BSD-3-Clause
// Breadth-first search by the rules of Graph500: 64 searches of the undirected graph, each of which finds a
// tree of parents; any parent on the level above is right. From narrow levels, vertices make offers to their
// neighbours, which is where styles differ. After wide ones, vertices that have no parent look for one, and
// stop at the first (Beamer, Asanović and Patterson, "Direction-optimizing breadth-first search", SC 2012).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "apps/graph/rows.hpp"
#include "apps/kernels/kernel.hpp"
#include "apps/support/owned_array.hpp"
#include "apps/support/ownership.hpp"
#include "apps/support/vertex_bits.hpp"
#include "apps/support/vertex_set.hpp"

namespace windrow::apps {

class bfs final : public kernel {
 public:
  static constexpr std::uint64_t searches = 64;
  static constexpr auto none = std::numeric_limits<std::uint64_t>::max(); ///< no parent, no level

  bfs(job&, const workload&);
  void reset() override {} // every search begins afresh
  void run(kernel_style) override;
  /// Levels only, since parents may differ from run to run. Ends the program if the tree of the last search
  /// breaks one of the rules.
  std::uint64_t checksum() override;
  std::uint64_t operations() const override { return roots_.size() * neighbours_.values(); }

  const std::vector<graph::vertex>& roots() const { return roots_; }
  /// One search. Collective; returns when every vertex that can be reached has its parent and level.
  void search(graph::vertex root, kernel_style);
  /// Which rule of Graph500 the tree of the last search breaks, or nothing. Collective; the same everywhere.
  std::string fault();
  /// Edges of the graph as it was given (with loops and repetitions) whose ends the last search reached.
  /// Collective.
  std::uint64_t edges_reached() const;

 private:
  void run_blocking() override;
  void run_aggregated() override;
  void run_mailbox() override;
  void run_deferred() override;

  void begin(graph::vertex root);
  /// Makes the vertices found last the current level, and so on while levels are wide. False at the end of
  /// the search: no PE has found another vertex with neighbours. Collective.
  bool next_narrow_level();
  bool next_level();
  bool is_wide() const;
  /// Own vertices without a parent take one on the current level, if they have a neighbour there. Collective.
  void look_for_parents();
  /// Calls offer(u, v) for each u on the current level and neighbour v, to which u offers to be its parent.
  /// This PE makes a vertex one offer in a search, and none to vertices that it knows to have a parent.
  template <class Offer>
  void for_each_offer(Offer offer);
  /// Puts an own vertex, which has a parent now, on the next level.
  void found(std::uint64_t index);
  std::uint64_t levels_checksum() const;

  job& job_;
  ownership own_;
  std::vector<graph::vertex> roots_;
  graph::rows<graph::vertex> neighbours_;  ///< of own vertices
  std::vector<std::uint64_t> edges_given_; ///< that begin at each own vertex
  owned_array<graph::vertex, cyclic_distribution> parent_;
  vertex_set reached_;     ///< one-sided styles: who got a parent, for its owner to see
  vertex_bits offered_;    ///< whom this PE has made an offer, or knows to need none
  vertex_bits wide_level_; ///< the current level, of all PEs, if it is wide
  std::vector<std::uint64_t> level_, current_, next_;
  graph::vertex root_ = none;
  std::uint64_t depth_ = 0;
  std::uint64_t all_edges_;      ///< of all PEs, counted at both ends
  std::uint64_t edges_here_ = 0; ///< of the current level
  std::uint64_t edges_left_ = 0; ///< of the vertices that no level up to the current one has
  std::uint64_t checksum_ = 0;
};

template <class Offer>
void bfs::for_each_offer(Offer offer) {
  for (const auto k : current_) {
    for (const auto v : neighbours_[k]) {
      if (offered_.contains(v)) continue;
      offered_.insert(v);
      offer(own_.vertex(k), v);
    }
  }
}

sequential_answer sequential_bfs(const workload&);

extern const kernel_entry bfs_entry;

} // namespace windrow::apps
