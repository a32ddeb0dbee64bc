// SPDX-License-Identifier: BSD-3-Clause
#include "apps/gravity/tree.hpp"

#include <algorithm>
#include <cmath>

namespace windrow::apps::gravity {

namespace {

constexpr std::size_t most_in_cube = 8;
constexpr int deepest = 20;
constexpr double softening = 1e-3;

struct cube {
  vec3 low;
  double side;

  std::size_t octant_of(const body& b) const {
    std::size_t result = 0;
    for (std::size_t a = 0; a < 3; ++a) result |= std::size_t{b.at[a] >= low[a] + side / 2} << a;
    return result;
  }
  cube octant(std::size_t which) const {
    auto result = cube{low, side / 2};
    for (std::size_t a = 0; a < 3; ++a)
      if ((which >> a & 1) != 0) result.low[a] += side / 2;
    return result;
  }
};

class builder {
 public:
  builder(double mass, tree& into) : mass_(mass), into_(into) {}

  void add(const std::vector<body>& all, const cube& where, int depth) {
    const auto here = into_.size();
    into_.push_back({mass_ * static_cast<double>(all.size()), mean(all), where.side, 0});
    if (all.size() <= most_in_cube || depth == deepest) {
      for (const auto& b : all) into_.push_back({mass_, b.at, 0, into_.size() + 1});
    } else {
      std::array<std::vector<body>, 8> parts;
      for (const auto& b : all) parts[where.octant_of(b)].push_back(b);
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (!parts[i].empty()) add(parts[i], where.octant(i), depth + 1);
    }
    into_[here].skip = into_.size();
  }

 private:
  static vec3 mean(const std::vector<body>& all) {
    vec3 result{};
    for (const auto& b : all)
      for (std::size_t a = 0; a < 3; ++a) result[a] += b.at[a];
    for (auto& x : result) x /= static_cast<double>(all.size());
    return result;
  }

  double mass_;
  tree& into_;
};

double squared(double x) {
  return x * x;
}
double distance_squared(const vec3& p, const vec3& q) {
  return squared(p[0] - q[0]) + squared(p[1] - q[1]) + squared(p[2] - q[2]);
}
double distance_squared(const vec3& p, const bounds& box) {
  vec3 next = p;
  for (std::size_t a = 0; a < 3; ++a) next[a] = std::clamp(p[a], box.low[a], box.high[a]);
  return distance_squared(p, next);
}

bool is_far(const node& n, double distance2, double opening) {
  return squared(n.size) < squared(opening) * distance2;
}

} // namespace

bounds bounds_of(std::span<const body> all) {
  bounds result{all.front().at, all.front().at};
  for (const auto& b : all)
    for (std::size_t a = 0; a < 3; ++a) {
      result.low[a] = std::min(result.low[a], b.at[a]);
      result.high[a] = std::max(result.high[a], b.at[a]);
    }
  return result;
}

tree make_tree(std::span<const body> all, double mass) {
  tree result;
  if (all.empty()) return result;
  const auto [low, high] = bounds_of(all);
  const auto side = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  builder(mass, result).add({all.begin(), all.end()}, {low, side}, 0);
  return result;
}

tree essential(std::span<const node> whole, const bounds& for_bodies_in, double opening) {
  tree result;
  std::vector<std::pair<std::size_t, std::uint64_t>>
      open; // cubes: where they are in the result, and where they end
  for (std::uint64_t i = 0; i <= whole.size();) {
    for (; !open.empty() && open.back().second <= i; open.pop_back())
      result[open.back().first].skip = result.size();
    if (i == whole.size()) break;
    const auto& n = whole[i];
    const bool is_cut = is_far(n, distance_squared(n.centre, for_bodies_in), opening);
    if (!is_cut) open.emplace_back(result.size(), n.skip);
    result.push_back(n);
    result.back().skip = result.size();
    i = is_cut ? n.skip : i + 1;
  }
  return result;
}

void attract(std::span<const node> all, double opening, const vec3& at, vec3& acceleration) {
  for (std::uint64_t i = 0; i < all.size();) {
    const auto& n = all[i];
    const auto distance2 = distance_squared(n.centre, at);
    const bool has_nothing_in_it = n.skip == i + 1;
    if (!has_nothing_in_it && !is_far(n, distance2, opening)) {
      ++i;
      continue;
    }
    const auto soft = distance2 + softening * softening;
    const auto pull = n.mass / (soft * std::sqrt(soft));
    for (std::size_t a = 0; a < 3; ++a) acceleration[a] += pull * (n.centre[a] - at[a]);
    i = n.skip;
  }
}

} // namespace windrow::apps::gravity
