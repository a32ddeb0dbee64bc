// SPDX-License-Identifier: BSD-3-Clause
#include "apps/tetrahedra/geometry.hpp"

#include <algorithm>

#include "apps/graph/mix.hpp"

namespace windrow::apps::tetrahedra {

namespace {

std::uint64_t hash_of(const point& p) {
  std::uint64_t result = 0;
  for (const auto x : p) result = graph::mix(result + graph::golden + static_cast<std::uint32_t>(x));
  return result;
}

} // namespace

edge edge_between(const point& p, const point& q) {
  return p < q ? edge{p, q} : edge{q, p};
}
point middle(const edge& e) {
  return {(e.a[0] + e.b[0]) / 2, (e.a[1] + e.b[1]) / 2, (e.a[2] + e.b[2]) / 2};
}
std::size_t edge_hash::operator()(const edge& e) const {
  return graph::mix(hash_of(e.a) + graph::golden * hash_of(e.b));
}

std::array<edge, 6> tetrahedron::edges() const {
  return {edge_between(at[0], at[1]), edge_between(at[0], at[2]), edge_between(at[0], at[3]),
          edge_between(at[1], at[2]), edge_between(at[1], at[3]), edge_between(at[2], at[3])};
}

std::array<tetrahedron, 2> tetrahedron::halves() const {
  const auto m = middle(longest());
  const auto next = tag > 1 ? tag - 1 : 3;
  tetrahedron first{at, next}, second{at, next};
  first.at[tag] = m;
  for (std::size_t i = 0; i < tag; ++i) second.at[i] = at[i + 1];
  second.at[tag] = m;
  return {first, second};
}

// Each goes from the corner whose coordinates are even multiples of the side, along the edges of the cell in
// one of the six orders, to the opposite corner.
std::vector<tetrahedron> tetrahedra_of(const cell& c) {
  point from{}, step{};
  for (std::size_t a = 0; a < 3; ++a) {
    const bool is_even = c.low[a] / c.side % 2 == 0;
    from[a] = is_even ? c.low[a] : c.low[a] + c.side;
    step[a] = is_even ? c.side : -c.side;
  }
  std::vector<tetrahedron> result;
  std::array<std::size_t, 3> order{0, 1, 2};
  do {
    tetrahedron t{{from, from, from, from}, 3};
    for (std::size_t i = 0; i < 3; ++i)
      for (auto vertex = i + 1; vertex < 4; ++vertex) t.at[vertex][order[i]] += step[order[i]];
    result.push_back(t);
  } while (std::ranges::next_permutation(order).found);
  return result;
}

std::uint64_t checksum(std::span<const tetrahedron> all) {
  std::uint64_t sum = 0;
  for (const auto& t : all) {
    std::uint64_t vertices = 0; // in any order
    for (const auto& p : t.at) vertices += hash_of(p);
    sum += graph::mix(vertices ^ graph::mix(edge_hash()(t.longest())));
  }
  return sum;
}

} // namespace windrow::apps::tetrahedra
