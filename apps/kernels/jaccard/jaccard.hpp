// SPDX-License-Identifier: BSD-3-Clause
// Jaccard similarity of the ends of each edge: of all their neighbours, which part they have in common
// (Jaccard, "Étude comparative de la distribution florale", 1901). The graph is taken as simple and
// undirected. Of two neighbours, the one with fewer neighbours is the lower one: its row is short, and so
// goes to the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/graph/rows.hpp"
#include "apps/kernels/jaccard/neighbour_sets.hpp"
#include "apps/kernels/kernel.hpp"
#include "apps/matrix/sparse_matrix.hpp"
#include "apps/support/ownership.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

/// An edge, from its lower end to its upper one, and how similar they are, in units of 2^-32.
struct similarity {
  graph::vertex lower, upper;
  std::uint64_t value;

  /// Distinguishes every edge and every value.
  std::uint64_t checksum() const { return (lower * 0x9e3779b97f4a7c15u + upper) * (2 * value + 1); }
};

/// What part of the neighbours of two vertices with `degree_a` and `degree_b` of them `common` ones are, in
/// units of 2^-32, rounded down.
constexpr std::uint64_t jaccard_index(std::uint64_t common, std::uint64_t degree_a, std::uint64_t degree_b) {
  return (common << 32) / (degree_a + degree_b - common);
}

class jaccard final : public kernel {
 public:
  jaccard(job&, const workload&);
  void reset() override;
  std::uint64_t checksum() override;
  std::uint64_t operations() const override { return lower_.values(); }

 private:
  /// An edge whose upper end is this PE's.
  struct edge;

  jaccard(job&, const graph::edge_list& simple);
  jaccard(job&, const graph::edge_list& upwards, const graph::edge_list& both_ways);

  void run_one_sided(windrow::style) override;
  void run_mailbox() override;
  void run_deferred() override;

  std::vector<edge> edges() const;
  /// Compares a vertex, whose neighbours are `row`, with those of its upper neighbours that are this PE's.
  void compare_with_upper(graph::vertex lower, std::span<const graph::vertex> row);
  void compare(std::uint64_t upper, graph::vertex lower, std::span<const graph::vertex> neighbours_of_lower);

  job& job_;
  ownership own_;
  sparse_matrix<> neighbours_;
  neighbour_sets sets_;                  ///< of own vertices
  graph::rows<graph::vertex> lower_;     ///< neighbours of each own vertex that are lower
  std::vector<graph::vertex> all_lower_; ///< the same, each once
  graph::rows<pe_t> receivers_;          ///< owners of the upper neighbours of each own vertex, each once
  std::vector<similarity> found_;
};

sequential_answer sequential_jaccard(const workload&);

extern const kernel_entry jaccard_entry;

} // namespace windrow::apps
