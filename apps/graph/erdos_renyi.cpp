// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/erdos_renyi.hpp"

#include "apps/graph/mix.hpp"

namespace windrow::graph {

edge erdos_renyi::operator[](std::uint64_t k) const {
  const auto state = mix(seed) + 2 * k * golden;
  return {below(vertices, mix(state)), below(vertices, mix(state + golden))};
}

edge_list erdos_renyi::generate() const {
  edge_list graph{vertices, {}};
  graph.edges.reserve(edges());
  for (std::uint64_t k = 0; k < edges(); ++k) graph.edges.push_back((*this)[k]);
  return graph;
}

} // namespace windrow::graph
