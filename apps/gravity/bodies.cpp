// SPDX-License-Identifier: BSD-3-Clause
#include "apps/gravity/bodies.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "apps/graph/mix.hpp"

namespace windrow::apps::gravity {

namespace {

constexpr double cluster_radius = 0.08, cluster_mass = 0.5, most_radii = 4, approach = 0.8;
constexpr vec3 first_centre{0.25, 0.4, 0.3}, second_centre{0.75, 0.6, 0.4};

/// In 0 ... 1, neither of them.
double unit(std::uint64_t number, std::uint64_t which) {
  return (static_cast<double>(graph::mix(number * 8 + which) >> 12) + 0.5) * 0x1p-52;
}

vec3 direction(double u, double v) {
  const auto z = 2 * u - 1, angle = 2 * std::numbers::pi * v, across = std::sqrt(1 - z * z);
  return {across * std::cos(angle), across * std::sin(angle), z};
}

} // namespace

// Radii by the mass inside of them; speeds as large as the mean of those at that radius, in any direction.
body first_state(std::uint64_t number, std::uint64_t count) {
  const bool is_first = number < count / 2;
  const auto share = unit(number, 0);
  const auto radius =
      std::min(most_radii * cluster_radius, cluster_radius / std::sqrt(std::pow(share, -2.0 / 3) - 1));
  const auto ratio = radius / cluster_radius;
  const auto speed = std::sqrt(cluster_mass / (2 * cluster_radius) / std::sqrt(1 + ratio * ratio));
  const auto place = direction(unit(number, 1), unit(number, 2));
  const auto motion = direction(unit(number, 3), unit(number, 4));
  body result{number, is_first ? first_centre : second_centre, {is_first ? approach : -approach, 0, 0}};
  for (std::size_t a = 0; a < 3; ++a) {
    result.at[a] += radius * place[a];
    result.velocity[a] += speed * motion[a];
  }
  return result;
}

std::uint64_t grid::cell_of(const body& b) const {
  const auto place = [&](double at) {
    return static_cast<std::uint64_t>(
        std::clamp(at * static_cast<double>(side), 0.0, static_cast<double>(side - 1)));
  };
  return (place(b.at[2]) * side + place(b.at[1])) * side + place(b.at[0]);
}

std::uint64_t checksum(std::span<const body> all) {
  std::uint64_t sum = 0;
  for (const auto& b : all) {
    auto h = graph::mix(b.number);
    for (const auto x : b.at) h = graph::mix(h ^ std::bit_cast<std::uint64_t>(x));
    sum += h;
  }
  return sum;
}

} // namespace windrow::apps::gravity
