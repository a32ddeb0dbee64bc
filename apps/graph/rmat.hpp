// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "apps/graph/edge_list.hpp"

namespace windrow::graph {

/// A random graph with few large hubs and many small vertices, like those of people and links: R-MAT
/// (Chakrabarti, Zhan, Faloutsos, SDM 2004) with the parameters of Graph500: A = 0.57, B = C = 0.19, vertices
/// shuffled. Edge k depends on the parameters and k only, so any PE can make any part of it.
struct rmat {
  unsigned scale = 16; ///< log2 of the number of vertices, at most 40
  unsigned edges_per_vertex = 16;
  std::uint64_t seed = 1;

  std::uint64_t vertices() const { return std::uint64_t{1} << scale; }
  std::uint64_t edges() const { return vertices() * edges_per_vertex; }
  /// Edge k < edges().
  edge operator[](std::uint64_t k) const;
  /// All of them.
  edge_list generate() const;
};

} // namespace windrow::graph
