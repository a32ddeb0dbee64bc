// SPDX-License-Identifier: BSD-3-Clause
// Edge lists as SNAP, KONECT, Network Repository and GAP publish them: an edge in each line.
#pragma once

#include "apps/graph/file_part.hpp"
#include "apps/graph/text_file.hpp"

namespace windrow::graph {

/// How many numbers each line has: two ends, perhaps a weight, perhaps a time after it; 0: there is no line.
struct edge_columns {
  unsigned count = 0;
};

/// Reads up to the first edge. Lines that begin with '#' or '%' are comments. Throws windrow::error if that
/// is no edge, or a comment says that the two columns number different vertices.
edge_columns read_edge_columns(text_file&);

/// Reads on to the end: every line must have as many numbers as the first one. Third ones are weights, fourth
/// ones are left out.
file_part read_edge_lines(text_file&, edge_columns);

} // namespace windrow::graph
