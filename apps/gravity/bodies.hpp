// SPDX-License-Identifier: BSD-3-Clause
// Bodies that attract each other: two clusters that fly through one another. The constant of gravity and the
// mass of all are 1.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace windrow::apps::gravity {

using vec3 = std::array<double, 3>;

struct body {
  std::uint64_t number;
  vec3 at, velocity;
};

/// Body `number` of `count`. Each cluster is a sphere of Plummer.
body first_state(std::uint64_t number, std::uint64_t count);

/// The cells of the unit cube, `side` in each direction.
struct grid {
  std::uint64_t side = 6;

  std::uint64_t cells() const { return side * side * side; }
  /// Of a body that is outside of the cube: the next one.
  std::uint64_t cell_of(const body&) const;
};

/// To be added up over all bodies, in any order.
std::uint64_t checksum(std::span<const body>);

} // namespace windrow::apps::gravity
