// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "apps/graph/edge_list.hpp"

namespace windrow::graph {

/// A random graph with communities: a planted partition (Condon and Karp, "Algorithms for graph partitioning
/// on the planted partition model", 2001), drawn with repetition. Each edge begins at any vertex and ends,
/// seven times of eight, in the community of that vertex, and otherwise anywhere. Vertices of a community
/// have consecutive numbers. Edge k depends on the parameters and k only, so any PE can make any part of it.
struct communities {
  std::uint64_t vertices = 1 << 16;
  std::uint64_t edges_per_vertex = 16;
  std::uint64_t seed = 1;
  std::uint64_t community = 128; ///< vertices of each, but for the last one

  std::uint64_t edges() const { return vertices * edges_per_vertex; }
  /// Edge k < edges().
  edge operator[](std::uint64_t k) const;
  /// All of them.
  edge_list generate() const;
};

} // namespace windrow::graph
