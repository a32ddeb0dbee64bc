// SPDX-License-Identifier: BSD-3-Clause
#include "apps/particles/physics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "apps/graph/mix.hpp"

namespace windrow::apps::particles {

namespace {

constexpr double drift = 0.004, spread = 0.06, force = 2e-9, softening = 1e-5;

double unit(std::uint64_t number, std::uint64_t which) {
  return static_cast<double>(graph::mix(number * 4 + which) >> 11) * 0x1p-53;
}

double wrapped(double at) {
  at -= std::floor(at);
  return at < 1 ? at : 0;
}

} // namespace

// Three in four around one point: sums of uniform numbers are dense in the middle.
particle first_state(std::uint64_t number) {
  particle p{number, unit(number, 0), unit(number, 1), drift, drift / 2};
  if (number % 4 == 0) return p;
  p.x = wrapped(0.3 + spread * (unit(number, 0) + unit(number, 2) - 1));
  p.y = wrapped(0.3 + spread * (unit(number, 1) + unit(number, 3) - 1));
  return p;
}

void advance(std::vector<particle>& all) {
  std::ranges::sort(all, {}, &particle::number);
  for (auto& p : all)
    for (const auto& q : all) {
      const auto dx = p.x - q.x, dy = p.y - q.y;
      const auto distance = dx * dx + dy * dy + softening;
      p.vx += force * dx / distance;
      p.vy += force * dy / distance;
    }
  for (auto& p : all) {
    p.x = wrapped(p.x + p.vx);
    p.y = wrapped(p.y + p.vy);
  }
}

std::vector<particle> take_leavers(const grid& g, std::uint64_t cell, std::vector<particle>& all) {
  std::vector<particle> leavers;
  std::erase_if(all, [&](const particle& p) {
    if (g.cell_of(p) == cell) return false;
    leavers.push_back(p);
    return true;
  });
  return leavers;
}

std::uint64_t checksum(std::span<const particle> all) {
  std::uint64_t sum = 0;
  for (const auto& p : all)
    sum += graph::mix(p.number ^ graph::mix(std::bit_cast<std::uint64_t>(p.x)) ^
                      (graph::mix(std::bit_cast<std::uint64_t>(p.y)) << 1));
  return sum;
}

} // namespace windrow::apps::particles
