// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/erdos_renyi.hpp"

#include "apps/graph/mix.hpp"

namespace windrow::graph {

namespace {

/// A number below `limit`, at most 2^32, from 64 random bits.
vertex below(std::uint64_t limit, std::uint64_t bits) {
  return ((bits >> 32) * limit) >> 32;
}

} // namespace

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
