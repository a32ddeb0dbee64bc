// SPDX-License-Identifier: BSD-3-Clause
// What a new vertex takes the place of (Bowyer and Watson, 1981). Threads that share a mesh claim each
// triangle before they count on it, and give up if another one has it.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "apps/delaunay/mesh.hpp"

namespace windrow::apps::delaunay {

/// The triangles that have a point in their circumcircles, and the edges around them, each with the triangle
/// inside.
struct cavity {
  point centre;
  std::vector<triangle> triangles;
  std::vector<std::pair<edge, triangle>> rim;

  /// The triangles that take their place. The point may lie on an edge of the border.
  std::vector<triangle> fan() const {
    std::vector<triangle> result;
    for (const auto& [e, inside] : rim)
      if (twice_area(e.from, e.to, centre) > 0) result.push_back(make_triangle(e.from, e.to, centre));
    return result;
  }
};

/// The cavity of a point in the circumcircle of `first`. `triangle_at(edge)` is what the mesh has there, if
/// it has; `claim(triangle)` says whether it may be used. Nothing if it may not.
template <class TriangleAt, class Claim>
std::optional<cavity> find_cavity(point p, const triangle& first, TriangleAt triangle_at, Claim claim) {
  if (!claim(first)) return {};
  cavity result{p, {first}, {}};
  for (std::size_t next = 0; next < result.triangles.size(); ++next) {
    const auto t = result.triangles[next];
    for (const auto& [e, apex] : t.sides()) {
      const std::optional<triangle> beyond = triangle_at(e.reversed());
      if (!beyond || !is_in_circle(*beyond, p)) {
        result.rim.emplace_back(e, t);
      } else if (std::ranges::find(result.triangles, *beyond) == result.triangles.end()) {
        if (!claim(*beyond)) return {};
        result.triangles.push_back(*beyond);
      }
    }
  }
  return result;
}

/// How a bad triangle is got rid of: by its circumcentre; or, if that would encroach on an edge of the
/// border, by the middle of that first.
template <class TriangleAt, class Claim>
std::optional<cavity> plan_split(const domain& d, const triangle& bad, TriangleAt triangle_at, Claim claim) {
  auto result = find_cavity(circumcentre(bad), bad, triangle_at, claim);
  if (!result) return {};
  for (const auto& [e, inside] : result->rim)
    if (d.is_border(e) && encroaches(result->centre, e))
      return find_cavity(middle(e), triangle(inside), triangle_at, claim);
  return result;
}

} // namespace windrow::apps::delaunay
