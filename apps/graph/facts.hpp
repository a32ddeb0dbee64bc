// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "apps/graph/edge_list.hpp"

namespace windrow::graph {

/// What a graph looks like. "Simple" is the undirected graph without self loops and repetitions.
struct facts {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0; ///< directed, as they were read
  std::uint64_t self_loops = 0;
  std::uint64_t simple_edges = 0;
  bool has_weights = false;
  bool has_rounded_weights = false; ///< some are integers beyond 2^53 in the file
  std::uint64_t least_degree = 0, median_degree = 0, greatest_degree = 0; ///< of the simple graph
  std::uint64_t isolated = 0;                          ///< vertices without an edge of the simple graph
  std::uint64_t components = 0, largest_component = 0; ///< an isolated vertex is a component
  std::uint64_t triangles = 0;
  /// How many vertices have degree 0, 1, 2 to 3, 4 to 7, ... in the simple graph.
  std::vector<std::uint64_t> degree_histogram;
};

facts facts_of(const edge_list&);

} // namespace windrow::graph
