// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/rmat.hpp"

#include "apps/graph/mix.hpp"

namespace windrow::graph {

namespace {

/// A bijection of the numbers below 2^scale, so that hubs are anywhere and not all on the first PE: odd
/// factors and shifts to the right can both be undone.
vertex shuffled(vertex v, unsigned scale, std::uint64_t seed) {
  const auto mask = (vertex{1} << scale) - 1;
  const auto half = (scale + 1) / 2;
  v = ((v + mix(seed)) * golden) & mask;
  v ^= v >> half;
  return (v * 0xd1342543de82ef95u) & mask;
}

constexpr std::uint32_t share(double of_one) {
  return static_cast<std::uint32_t>(of_one * 4294967296.0);
}

} // namespace

edge rmat::operator[](std::uint64_t k) const {
  edge e{0, 0};
  auto state = mix(seed) + k * golden * 64; // 64 steps of a Weyl sequence of its own for every edge
  for (unsigned level = 0; level < scale; ++level) {
    const auto draw = static_cast<std::uint32_t>(mix(state += golden));
    const bool down = draw >= share(.57 + .19);                                    // quadrants C and D
    const bool right = down ? draw >= share(.57 + .19 + .19) : draw >= share(.57); // B and D
    e = {2 * e.from + down, 2 * e.to + right};
  }
  return {shuffled(e.from, scale, seed), shuffled(e.to, scale, seed)};
}

edge_list rmat::generate() const {
  edge_list graph{vertices(), {}};
  graph.edges.reserve(edges());
  for (std::uint64_t k = 0; k < edges(); ++k) graph.edges.push_back((*this)[k]);
  return graph;
}

} // namespace windrow::graph
