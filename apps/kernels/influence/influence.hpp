// SPDX-License-Identifier: BSD-3-Clause
// Influence by independent cascades (Kempe, Kleinberg and Tardos, "Maximizing the spread of influence through
// a social network", KDD 2003): 64 cascades at once, a bit for each in a word for every vertex. Cascade i
// begins at a vertex of its own, and goes along an edge with a probability of 1/8; whether it does is fixed
// for each cascade and edge, so that who is reached does not depend on the order of events.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/graph/random.hpp"
#include "apps/graph/rows.hpp"
#include "apps/kernels/kernel.hpp"
#include "apps/support/owned_array.hpp"
#include "apps/support/ownership.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

/// A set of cascades: bit i is cascade i.
using cascade_set = std::uint64_t;
inline constexpr unsigned cascades = 64;

/// Where cascade i begins, in a graph that has vertices.
constexpr graph::vertex cascade_source(unsigned i, const workload& w) {
  return graph::mix(i, ~std::uint64_t{0}, w.seed) % w.graph.vertices;
}
/// The cascades that go along this edge: each with a probability of 1/8, which is that of three heads.
constexpr cascade_set cascades_along(graph::vertex from, graph::vertex to, std::uint64_t seed) {
  const auto coins = graph::mix(from, to, seed);
  return coins & graph::mix(coins + graph::golden) & graph::mix(coins + 2 * graph::golden);
}

class influence final : public kernel {
 public:
  influence(job&, const workload&);
  void reset() override;
  std::uint64_t checksum() override;
  std::uint64_t operations() const override { return edges_.values(); }

 private:
  struct edge {
    graph::vertex to;
    cascade_set along;
  };

  /// Cascades that have just come to an own vertex.
  struct arrival {
    std::uint64_t index;
    cascade_set fresh;
  };

  void run_one_sided(windrow::style) override;
  void run_mailbox() override;

  /// Takes the next level: what arrived since the last one and is new. False if nothing is, on any PE.
  /// Collective.
  bool next_level();

  graph::rows<edge> my_edges(const workload&) const;

  job& job_;
  ownership own_;
  graph::rows<edge> edges_;          ///< of own vertices, without those that no cascade goes along
  std::vector<cascade_set> sources_; ///< for each own vertex: who begins there
  std::vector<cascade_set> reached_; ///< for each own vertex: by whom
  owned_array<cascade_set, cyclic_distribution> arriving_; ///< since the last level
  std::vector<arrival> arrivals_;                          ///< the level whose cascades go on now
};

sequential_answer sequential_influence(const workload&);

extern const kernel_entry influence_entry;

} // namespace windrow::apps
