// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "apps/graph/edge_list.hpp"

namespace windrow::graph {

/// The shares of the four quadrants of the adjacency matrix, at every level of the recursion. They add up
/// to 1.
struct initiator {
  double a, b, c, d;
};

/// The initiator of the Graph500 benchmark.
inline constexpr initiator graph500_initiator{.57, .19, .19, .05};

/// The generator of the Graph500 benchmark: a stochastic Kronecker graph (Leskovec, Chakrabarti, Kleinberg,
/// Faloutsos, PKDD 2005) whose vertices, then, are renamed by a random permutation. Its edges are drawn
/// independently of each other, so that their order tells nothing and need not be permuted. Directed, with
/// self loops and repeated edges; the benchmark takes the edges as undirected.
struct kronecker {
  unsigned scale = 16; ///< log2 of the number of vertices, at most 40
  unsigned edge_factor = 16;
  std::uint64_t seed = 1;
  initiator quadrants = graph500_initiator;

  std::uint64_t vertices() const { return std::uint64_t{1} << scale; }
  std::uint64_t edges() const { return vertices() * edge_factor; }
  /// The whole graph. Depends on the members alone.
  edge_list generate() const;
};

/// A random permutation of 0 … size - 1 (Fisher and Yates; Durstenfeld, "Algorithm 235", CACM 1964).
std::vector<vertex> random_permutation(std::uint64_t size, std::uint64_t seed);

/// At most `count` different vertices, each with an edge to another vertex, drawn at random: the search keys
/// of Graph500. Fewer than `count` only if the graph has no more.
std::vector<vertex> search_keys(const edge_list&, std::uint64_t count, std::uint64_t seed);

} // namespace windrow::graph
