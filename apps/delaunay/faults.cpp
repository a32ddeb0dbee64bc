// SPDX-License-Identifier: BSD-3-Clause
#include <map>
#include <utility>

#include "apps/delaunay/simulation.hpp"

namespace windrow::apps::delaunay {

// A mesh whose triangles are Delaunay where they meet is so as a whole (Delaunay's lemma).
std::vector<const char*> faults(const domain& d, std::span<const triangle> mesh) {
  std::map<std::pair<point, point>, point> apexes;
  std::int64_t area = 0;
  bool is_twofold = false, has_gap = false, is_flat = false, is_other = false, has_bad = false;
  for (const auto& t : mesh) {
    const auto own = twice_area(t.at[0], t.at[1], t.at[2]);
    is_flat |= own <= 0;
    area += own;
    has_bad |= d.is_bad(t, d.levels - 1);
    for (std::size_t i = 0; i < 3; ++i)
      is_twofold |= !apexes.emplace(std::pair(t.at[i], t.at[(i + 1) % 3]), t.at[(i + 2) % 3]).second;
  }
  for (const auto& [e, apex] : apexes) {
    const auto beyond = apexes.find({e.second, e.first});
    if (beyond == apexes.end())
      has_gap |= !d.is_border({e.first, e.second});
    else
      is_other |= is_in_circle(make_triangle(e.first, e.second, apex), beyond->second);
  }
  std::vector<const char*> result;
  if (is_twofold) result.push_back("an edge has two triangles on one side");
  if (has_gap) result.push_back("an edge inside the square has no triangle on one side");
  if (is_flat) result.push_back("a triangle is not counter-clockwise");
  if (area != 2 * std::int64_t{d.side()} * d.side())
    result.push_back("triangles do not cover the square once");
  if (is_other) result.push_back("a circumcircle has a vertex inside");
  if (has_bad) result.push_back("a triangle is bad");
  return result;
}

} // namespace windrow::apps::delaunay
