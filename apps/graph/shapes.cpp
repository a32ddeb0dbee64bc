// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/shapes.hpp"

namespace windrow::graph {

edge_list star(vertex vertices) {
  edge_list graph{vertices, {}};
  for (vertex v = 1; v < vertices; ++v) graph.edges.push_back({0, v});
  return graph;
}

edge_list path(vertex vertices) {
  edge_list graph{vertices, {}};
  for (vertex v = 1; v < vertices; ++v) graph.edges.push_back({v - 1, v});
  return graph;
}

} // namespace windrow::graph
