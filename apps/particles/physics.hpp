// SPDX-License-Identifier: BSD-3-Clause
// Particles in the cells of a square that has no edges: those of a cell repel each other, and all drift, so
// that the dense cells are others after a while. What happens in a cell depends on its particles alone, in
// the order of their numbers, so results are the same to the last bit wherever cells are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace windrow::apps::particles {

struct particle {
  std::uint64_t number;
  double x, y;   ///< in 0 … 1
  double vx, vy; ///< for each step
};

/// Cells row by row, `side` in each row.
struct grid {
  std::uint64_t side;

  std::uint64_t cells() const { return side * side; }
  std::uint64_t cell_of(const particle& p) const {
    const auto place = [&](double at) {
      return static_cast<std::uint64_t>(at * static_cast<double>(side)) % side;
    };
    return place(p.y) * side + place(p.x);
  }
};

/// Particle `number` of all; most are in one dense region.
particle first_state(std::uint64_t number);

/// A step of the particles of a cell.
void advance(std::vector<particle>& all);

/// Takes those out that are in other cells now.
std::vector<particle> take_leavers(const grid&, std::uint64_t cell, std::vector<particle>& all);

/// To be added up over all particles, in any order.
std::uint64_t checksum(std::span<const particle>);

} // namespace windrow::apps::particles
