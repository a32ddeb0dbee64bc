// SPDX-License-Identifier: BSD-3-Clause
// One mesh by the definition: passes over all triangles, until none is too large and no middle of an edge is
// a vertex.
#include <algorithm>
#include <chrono>
#include <set>

#include "apps/refinement/simulation.hpp"

namespace windrow::apps::refinement {

namespace {

point middle_of(point a, point b) {
  return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}

std::vector<triangle> first_mesh(const domain& d) {
  std::vector<triangle> all;
  const auto side = static_cast<std::int32_t>(d.side);
  for (std::int32_t row = 0; row < side; ++row)
    for (std::int32_t column = 0; column < side; ++column) {
      const point low{column * patch_side, row * patch_side}, high{low.x + patch_side, low.y + patch_side};
      all.push_back({low, high, {high.x, low.y}});
      all.push_back({low, high, {low.x, high.y}});
    }
  return all;
}

} // namespace

std::vector<triangle> refine_alone(const domain& d, std::uint64_t step) {
  auto all = first_mesh(d);
  std::set<point> vertices;
  const auto must_go = [&](const triangle& t) {
    const auto& [a, b, c] = t;
    return d.is_too_large(t, step) || vertices.contains(middle_of(a, b)) ||
           vertices.contains(middle_of(b, c)) || vertices.contains(middle_of(c, a));
  };
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<triangle> next;
    for (const auto& t : all) {
      if (!must_go(t)) {
        next.push_back(t);
        continue;
      }
      changed = true;
      const auto m = middle_of(t.base_a, t.base_b);
      vertices.insert(m);
      next.push_back({t.newest, t.base_a, m});
      next.push_back({t.base_b, t.newest, m});
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
    result.triangles.push_back(mesh.size());
    result.checksums.push_back(checksum(mesh));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

double outcome::imbalance() const {
  double heaviest = 0, mean = 0;
  for (const auto& by_pe : loads) {
    heaviest += *std::ranges::max_element(by_pe);
    for (const auto l : by_pe) mean += l / static_cast<double>(by_pe.size());
  }
  return mean > 0 ? heaviest / mean : 1;
}

} // namespace windrow::apps::refinement
