// SPDX-License-Identifier: BSD-3-Clause
// Graphs of one shape, which are awkward for some algorithm or another.
#pragma once

#include "apps/graph/edge_list.hpp"

namespace windrow::graph {

/// Vertex 0 linked to each of the others: one vertex has all the work.
edge_list star(vertex vertices);

/// 0 -> 1 -> 2 …: everything comes after something else.
edge_list path(vertex vertices);

/// A grid: each vertex linked to the one to its right and the one below it. Vertices are numbered row by row.
edge_list grid(vertex rows, vertex columns);

} // namespace windrow::graph
