// SPDX-License-Identifier: BSD-3-Clause
// Triangles of a Delaunay mesh of a square, and which of them are bad (Ruppert, "A Delaunay refinement
// algorithm for quality 2-dimensional mesh generation", 1995). The square is cut into leaves; a triangle
// belongs to the leaf that its circumcentre lies in. Coordinates are whole numbers, so all geometry but sizes
// is exact.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace windrow::apps::delaunay {

/// Units of length in the side of a leaf. Points of a leaf and its neighbours differ by so little that the
/// determinants of geometry fit into 64 bits.
inline constexpr std::int32_t leaf_side = 1 << 12;

struct point {
  std::int32_t x, y;
  auto operator<=>(const point&) const = default;
};

/// From one vertex to another, counter-clockwise around the triangle that has it.
struct edge {
  point from, to;
  bool operator==(const edge&) const = default;
  edge reversed() const { return {to, from}; }
};
struct edge_hash {
  std::size_t operator()(const edge&) const;
};

/// Counter-clockwise, the least vertex first, so each triangle is written in one way.
struct triangle {
  std::array<point, 3> at;
  auto operator<=>(const triangle&) const = default;
  struct side {
    edge between;
    point apex; ///< the vertex opposite to it
  };
  std::array<side, 3> sides() const {
    const auto [a, b, c] = at;
    return {{{{a, b}, c}, {{b, c}, a}, {{c, a}, b}}};
  }
};
triangle make_triangle(point a, point b, point c);

/// Twice the area of abc, less than 0 if that is clockwise.
std::int64_t twice_area(point a, point b, point c);
/// Whether p is inside the circle through the vertices, not on it.
bool is_in_circle(const triangle&, point p);
/// Whether p is inside the circle of which the edge is a diameter, not on it.
bool encroaches(point p, const edge&);
/// The nearest whole coordinates.
point circumcentre(const triangle&);
double radius_squared(const triangle&); ///< of the circumcircle
point middle(const edge&);

/// The square, and how fine its mesh is to be: around a spot, and less so with the distance from it.
struct domain {
  std::int32_t leaves = 24; ///< in a row, and rows
  std::int32_t levels = 4;  ///< meshes, each half as coarse as the one before
  double finest = 0.002;    ///< radius of circumcircles at the spot; the domain has the side 1
  double growth = 0.06;     ///< how much larger they are with each unit of distance from it

  std::uint64_t count() const {
    return static_cast<std::uint64_t>(leaves) * static_cast<std::uint64_t>(leaves);
  }
  std::int32_t side() const { return leaves * leaf_side; }
  /// What `finest` may be: so many units of length that it does not matter to which of them points are
  /// rounded.
  double least_size() const { return 8.0 / side(); }
  /// Leaf column + row * leaves.
  std::uint64_t leaf_of(const triangle&) const;
  /// Those up to so many columns and rows away, itself not among them.
  std::vector<std::uint64_t> around(std::uint64_t leaf, std::int32_t distance) const;
  /// Leaves of one colour have no neighbours in common.
  std::uint64_t colour(std::uint64_t leaf) const;
  bool is_border(const edge&) const;
  /// Too large, or with an angle of less than 20.7 degrees.
  bool is_bad(const triangle&, std::int32_t level) const;
  /// The triangles that a leaf begins with.
  std::vector<triangle> first_mesh(std::uint64_t leaf) const;
};
inline constexpr std::uint64_t colours = 9;

/// To be added up over all triangles, in any order.
std::uint64_t checksum(std::span<const triangle>);

} // namespace windrow::apps::delaunay
