// SPDX-License-Identifier: BSD-3-Clause
// One mesh by the definition: passes over all tetrahedra, until none is too large and no middle of an edge is
// a vertex.
#include <algorithm>
#include <chrono>
#include <set>

#include "apps/tetrahedra/simulation.hpp"

namespace windrow::apps::tetrahedra {

std::vector<tetrahedron> refine_alone(const sizes& s, std::uint64_t step) {
  const octree cells(s);
  auto all = tetrahedra_of({{0, 0, 0}, whole_side});
  std::set<point> vertices;
  for (const auto& [low, side] : cells.leaves())
    for (std::int32_t i = 0; i < 8; ++i)
      vertices.insert({low[0] + side * (i & 1), low[1] + side * (i >> 1 & 1), low[2] + side * (i >> 2)});
  const auto must_go = [&](const tetrahedron& t) {
    return s.is_too_large(t, step) ||
           std::ranges::any_of(t.edges(), [&](const edge& e) { return vertices.contains(middle(e)); });
  };
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<tetrahedron> next;
    for (const auto& t : all) {
      if (!must_go(t)) {
        next.push_back(t);
        continue;
      }
      changed = true;
      vertices.insert(middle(t.longest()));
      for (const auto& half : t.halves()) next.push_back(half);
    }
    all = std::move(next);
  }
  return all;
}

outcome run_sequential(const settings& s) {
  const auto begin = std::chrono::steady_clock::now();
  outcome result;
  for (std::uint64_t step = 0; step < s.steps; ++step) {
    const auto mesh = refine_alone(s.where, step);
    result.tetrahedra.push_back(mesh.size());
    result.checksums.push_back(checksum(mesh));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

} // namespace windrow::apps::tetrahedra
