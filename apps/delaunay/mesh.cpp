// SPDX-License-Identifier: BSD-3-Clause
#include "apps/delaunay/mesh.hpp"

#include <algorithm>
#include <cmath>

#include "apps/graph/mix.hpp"

namespace windrow::apps::delaunay {

namespace {

/// The whole number next to a fraction.
std::int64_t nearest(std::int64_t numerator, std::int64_t denominator) {
  const auto doubled = 2 * numerator + denominator, by = 2 * denominator;
  return doubled / by - (doubled % by < 0 ? 1 : 0);
}

std::int64_t square(std::int64_t x) {
  return x * x;
}
std::int64_t distance_squared(point a, point b) {
  return square(std::int64_t{a.x} - b.x) + square(std::int64_t{a.y} - b.y);
}

std::uint64_t number_of(point p) {
  return std::uint64_t{static_cast<std::uint32_t>(p.x)} << 32 | static_cast<std::uint32_t>(p.y);
}

} // namespace

std::size_t edge_hash::operator()(const edge& e) const {
  return graph::mix(number_of(e.from) + graph::golden * number_of(e.to));
}

triangle make_triangle(point a, point b, point c) {
  if (b < a && b < c) return {{b, c, a}};
  if (c < a && c < b) return {{c, a, b}};
  return {{a, b, c}};
}

std::int64_t twice_area(point a, point b, point c) {
  return (std::int64_t{b.x} - a.x) * (std::int64_t{c.y} - a.y) -
         (std::int64_t{b.y} - a.y) * (std::int64_t{c.x} - a.x);
}

// Seen from p: the determinant of rows x, y, x² + y².
bool is_in_circle(const triangle& t, point p) {
  std::array<std::int64_t, 3> x{}, y{}, lift{};
  for (std::size_t i = 0; i < 3; ++i) {
    x[i] = std::int64_t{t.at[i].x} - p.x;
    y[i] = std::int64_t{t.at[i].y} - p.y;
    lift[i] = square(x[i]) + square(y[i]);
  }
  return lift[0] * (x[1] * y[2] - y[1] * x[2]) + lift[1] * (x[2] * y[0] - y[2] * x[0]) +
             lift[2] * (x[0] * y[1] - y[0] * x[1]) >
         0;
}

bool encroaches(point p, const edge& e) {
  return (std::int64_t{e.from.x} - p.x) * (std::int64_t{e.to.x} - p.x) +
             (std::int64_t{e.from.y} - p.y) * (std::int64_t{e.to.y} - p.y) <
         0;
}

point circumcentre(const triangle& t) {
  const auto [a, b, c] = t.at;
  const auto bx = std::int64_t{b.x} - a.x, by = std::int64_t{b.y} - a.y, cx = std::int64_t{c.x} - a.x,
             cy = std::int64_t{c.y} - a.y;
  const auto b2 = square(bx) + square(by), c2 = square(cx) + square(cy), d = 2 * (bx * cy - by * cx);
  return {static_cast<std::int32_t>(a.x + nearest(cy * b2 - by * c2, d)),
          static_cast<std::int32_t>(a.y + nearest(bx * c2 - cx * b2, d))};
}

double radius_squared(const triangle& t) {
  const auto [a, b, c] = t.at;
  const auto area = static_cast<double>(twice_area(a, b, c));
  return static_cast<double>(distance_squared(a, b)) * static_cast<double>(distance_squared(b, c)) *
         static_cast<double>(distance_squared(c, a)) / (4 * area * area);
}

point middle(const edge& e) {
  return {(e.from.x + e.to.x) / 2, (e.from.y + e.to.y) / 2};
}

// The circumcentres of all triangles are in the square, but for roundings: no point encroaches on its border.
std::uint64_t domain::leaf_of(const triangle& t) const {
  const auto centre = circumcentre(t);
  const auto column = std::clamp(centre.x / leaf_side, 0, leaves - 1);
  const auto row = std::clamp(centre.y / leaf_side, 0, leaves - 1);
  return static_cast<std::uint64_t>(row) * static_cast<std::uint64_t>(leaves) +
         static_cast<std::uint64_t>(column);
}

std::vector<std::uint64_t> domain::around(std::uint64_t leaf, std::int32_t distance) const {
  const auto column = static_cast<std::int32_t>(leaf) % leaves,
             row = static_cast<std::int32_t>(leaf) / leaves;
  std::vector<std::uint64_t> result;
  for (auto y = std::max(0, row - distance); y <= std::min(leaves - 1, row + distance); ++y)
    for (auto x = std::max(0, column - distance); x <= std::min(leaves - 1, column + distance); ++x)
      if (x != column || y != row) result.push_back(static_cast<std::uint64_t>(std::int64_t{y} * leaves + x));
  return result;
}

std::uint64_t domain::colour(std::uint64_t leaf) const {
  const auto in_row = static_cast<std::uint64_t>(leaves);
  return leaf % in_row % 3 + 3 * (leaf / in_row % 3);
}

bool domain::is_border(const edge& e) const {
  const auto on = [&](std::int32_t a, std::int32_t b) { return a == b && (a == 0 || a == side()); };
  return on(e.from.x, e.to.x) || on(e.from.y, e.to.y);
}

bool domain::is_bad(const triangle& t, std::int32_t level) const {
  const auto unit = 1.0 / side();
  const auto centre = circumcentre(t);
  const auto distance = std::hypot(centre.x * unit - 0.31, centre.y * unit - 0.28);
  const auto size = std::ldexp(finest + growth * distance * distance, levels - 1 - level);
  const auto radius2 = radius_squared(t);
  const auto shortest2 = std::min({distance_squared(t.at[0], t.at[1]), distance_squared(t.at[1], t.at[2]),
                                   distance_squared(t.at[2], t.at[0])});
  return radius2 * unit * unit > size * size || radius2 > 2 * static_cast<double>(shortest2);
}

// Four squares, cut along a diagonal each. So no circumcircle is larger than 0.36 sides of a leaf.
std::vector<triangle> domain::first_mesh(std::uint64_t leaf) const {
  const auto half = leaf_side / 2;
  const auto left = static_cast<std::int32_t>(leaf) % leaves * leaf_side,
             low = static_cast<std::int32_t>(leaf) / leaves * leaf_side;
  std::vector<triangle> result;
  for (auto y = low; y < low + leaf_side; y += half)
    for (auto x = left; x < left + leaf_side; x += half) {
      result.push_back(make_triangle({x, y}, {x + half, y}, {x + half, y + half}));
      result.push_back(make_triangle({x, y}, {x + half, y + half}, {x, y + half}));
    }
  return result;
}

std::uint64_t checksum(std::span<const triangle> all) {
  std::uint64_t sum = 0;
  for (const auto& t : all)
    sum += graph::mix(number_of(t.at[0]) ^ graph::mix(number_of(t.at[1]) ^ graph::mix(number_of(t.at[2]))));
  return sum;
}

} // namespace windrow::apps::delaunay
