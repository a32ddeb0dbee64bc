// SPDX-License-Identifier: BSD-3-Clause
// Connected components of the undirected graph, as trees of parents that grow together: hooking and pointer
// jumping, in the manner of Shiloach and Vishkin ("An O(log n) parallel connectivity algorithm",
// J. Algorithms 1982). A parent is never larger than its child, so there are no cycles, and in the end the
// parent of each vertex is the smallest vertex of its component.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/graph/rows.hpp"
#include "apps/kernels/kernel.hpp"
#include "apps/support/owned_array.hpp"
#include "apps/support/ownership.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

class components final : public kernel {
 public:
  components(job&, const workload&);
  void reset() override {} // every run begins afresh
  void run(kernel_style) override;
  std::uint64_t checksum() override;
  std::uint64_t operations() const override { return smaller_.values(); }

 private:
  void run_blocking() override;
  void run_aggregated() override;
  void run_mailbox() override;
  void run_deferred() override;

  /// Links of a vertex, beside that to its first parent, that are joined before the others.
  static constexpr std::size_t samples = 2;
  /// deferred: joins the trees of own vertices and their smaller neighbours `first` … `end` - 1. Collective.
  void join_links(context&, std::size_t first, std::size_t end);
  /// deferred: makes one tree of those of two vertices.
  void join(context&, graph::vertex low, graph::vertex high);
  /// The smallest neighbour becomes the parent of each own vertex, where it is smaller. Collective.
  void begin();
  /// blocking: the root of the tree that v is in now.
  graph::vertex root(graph::vertex v);
  /// blocking: makes one tree of those of u and v.
  void join(graph::vertex u, graph::vertex v);
  /// aggregated, deferred: own vertices move to their grandparents until their parents are roots. While all
  /// PEs do so and nothing else.
  void shorten(context&);

  job& job_;
  ownership own_;
  graph::rows<graph::vertex> smaller_; ///< neighbours of own vertices that are smaller, ascending
  owned_array<graph::vertex, cyclic_distribution> parent_;
};

sequential_answer sequential_components(const workload&);

extern const kernel_entry components_entry;

} // namespace windrow::apps
