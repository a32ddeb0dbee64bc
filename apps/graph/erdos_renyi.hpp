// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "apps/graph/edge_list.hpp"

namespace windrow::graph {

/// A random graph without structure (Erdős and Rényi, "On random graphs I", 1959), drawn with repetition:
/// both ends of each edge are any vertex with the same probability, so self loops and repeated edges occur.
/// Edge k depends on the parameters and k only, so any PE can make any part of it.
struct erdos_renyi {
  std::uint64_t vertices = 1 << 16;
  std::uint64_t edges_per_vertex = 16;
  std::uint64_t seed = 1;

  std::uint64_t edges() const { return vertices * edges_per_vertex; }
  /// Edge k < edges().
  edge operator[](std::uint64_t k) const;
  /// All of them.
  edge_list generate() const;
};

} // namespace windrow::graph
