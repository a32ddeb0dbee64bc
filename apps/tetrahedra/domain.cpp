// SPDX-License-Identifier: BSD-3-Clause
#include "apps/tetrahedra/domain.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace windrow::apps::tetrahedra {

namespace {

constexpr double orbit = 0.3, height = 0.4, wide = 0.12;

double length(std::int64_t units) {
  return static_cast<double>(units) / whole_side;
}

} // namespace

bool sizes::is_too_large(const tetrahedron& t, std::uint64_t step) const {
  const auto angle = 2 * std::numbers::pi * static_cast<double>(step % period) / static_cast<double>(period);
  const std::array<double, 3> spot{0.5 + orbit * std::cos(angle), 0.5 + orbit * std::sin(angle), height};
  double distance2 = 0, size2 = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto sum = std::int64_t{t.at[0][a]} + t.at[1][a] + t.at[2][a] + t.at[3][a];
    const auto away = length(sum) / 4 - spot[a];
    const auto along = length(std::int64_t{t.at[0][a]} - t.at[t.tag][a]);
    distance2 += away * away;
    size2 += along * along;
  }
  return std::sqrt(size2) > finest + growth * std::sqrt(distance2);
}

octree::octree(const sizes& s) : smallest_(whole_side >> s.depth) {
  nodes_.push_back({{{0, 0, 0}, whole_side}});
  divide(0, s.depth, s);
}

// The last division is that of cells which the spot comes near to.
void octree::divide(std::size_t which, std::uint64_t depth, const sizes& s) {
  const auto [low, side] = nodes_[which].where;
  const auto centre = [&, low = low, side = side](std::size_t a) {
    return length(low[a]) + length(side) / 2;
  };
  const auto from_axis = std::hypot(centre(0) - 0.5, centre(1) - 0.5);
  const auto from_orbit = std::hypot(from_axis - orbit, centre(2) - height);
  if (depth == 0 || (depth == 1 && from_orbit > wide + length(side))) {
    nodes_[which].leaf = leaves_.size();
    leaves_.push_back(nodes_[which].where);
    return;
  }
  const auto first = nodes_.size();
  nodes_[which].first_child = first;
  const auto half = side / 2;
  for (std::int32_t i = 0; i < 8; ++i)
    nodes_.push_back(
        {{{low[0] + half * (i & 1), low[1] + half * (i >> 1 & 1), low[2] + half * (i >> 2)}, half}});
  for (std::size_t i = 0; i < 8; ++i) divide(first + i, depth - 1, s);
}

template <class Visit>
void octree::for_leaves_at(const point& p, std::size_t below, Visit visit) const {
  const auto& n = nodes_[below];
  for (std::size_t a = 0; a < 3; ++a)
    if (p[a] < n.where.low[a] || p[a] > n.where.low[a] + n.where.side) return;
  if (n.first_child == 0) return visit(n.leaf);
  for (std::size_t i = 0; i < 8; ++i) for_leaves_at(p, n.first_child + i, visit);
}

std::vector<std::uint64_t> octree::leaves_at(const point& p) const {
  std::vector<std::uint64_t> result;
  for_leaves_at(p, 0, [&](std::uint64_t leaf) { result.push_back(leaf); });
  return result;
}

bool octree::is_corner(const point& p) const {
  if (std::ranges::any_of(p, [&](auto x) { return x % smallest_ != 0; })) return false;
  bool is_one = false;
  for_leaves_at(p, 0, [&](std::uint64_t leaf) {
    const auto& [low, side] = leaves_[leaf];
    is_one |= std::ranges::all_of(std::array<std::size_t, 3>{0, 1, 2}, [&, low = low, side = side](auto a) {
      return (p[a] - low[a]) % side == 0;
    });
  });
  return is_one;
}

} // namespace windrow::apps::tetrahedra
