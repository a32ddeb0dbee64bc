// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "apps/graph/edge_list.hpp"

namespace windrow::graph {

/// What the lines of a graph file, or of a part of it, say. Vertices have the numbers of the file, those that
/// it counts from 1 less 1.
struct file_part {
  std::vector<edge> edges;
  std::vector<double> weights;      ///< of each edge, or empty: the format has none
  bool has_rounded_weights = false; ///< some are integers that no double equals
  std::uint64_t lines = 0; ///< those with content; of a METIS file, lists of neighbours: empty ones too
  std::uint64_t filled_lines = 0; ///< of a METIS file: up to the last list that is not an empty line
};

} // namespace windrow::graph
