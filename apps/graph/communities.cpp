// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/communities.hpp"

#include <algorithm>

#include "apps/graph/mix.hpp"

namespace windrow::graph {

edge communities::operator[](std::uint64_t k) const {
  const auto state = mix(seed) + 3 * k * golden;
  const auto from = below(vertices, mix(state));
  const bool stays = mix(state + golden) % 8 != 0;
  const auto first = stays ? from - from % community : 0;
  const auto size = stays ? std::min(community, vertices - first) : vertices;
  return {from, first + below(size, mix(state + 2 * golden))};
}

edge_list communities::generate() const {
  edge_list graph{vertices, {}};
  graph.edges.reserve(edges());
  for (std::uint64_t k = 0; k < edges(); ++k) graph.edges.push_back((*this)[k]);
  return graph;
}

} // namespace windrow::graph
