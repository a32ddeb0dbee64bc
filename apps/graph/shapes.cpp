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

edge_list grid(vertex rows, vertex columns) {
  edge_list graph{rows * columns, {}};
  for (vertex v = 0; v < graph.vertices; ++v) {
    if ((v + 1) % columns != 0) graph.edges.push_back({v, v + 1});
    if (v + columns < graph.vertices) graph.edges.push_back({v, v + columns});
  }
  return graph;
}

} // namespace windrow::graph
