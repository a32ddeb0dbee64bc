// SPDX-License-Identifier: BSD-3-Clause
// A cube of the grid, with a frame of points around it that belong to its neighbours. A step has two phases,
// as in SW4, which makes it of fourth order in time:
//
//     phase 0: a = (L(u) + F) / rho                              needs the frame of u
//     phase 1: u' = 2u - u'' + dt² a + dt⁴/12 (L(a) + F_tt) / rho    needs the frame of a
//
// A block that the waves have not reached is asleep: it is zero and computes nothing, up to the phase 0 in
// which more than `quiet` comes from a neighbour. What it has got before, in its frame, counts as nothing.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "apps/elastic/problem.hpp"
#include "apps/elastic/stencil.hpp"

namespace windrow::apps::elastic {

/// The grid: blocks in each direction, and points of each block in each direction.
struct grid {
  std::int64_t blocks = 6, side = 8;
  double quiet = 1e-7; ///< displacement that counts as none

  std::int64_t points() const { return blocks * side; }
  std::uint64_t count() const { return static_cast<std::uint64_t>(blocks * blocks * blocks); }
  double time_step(const problem&) const;
};

/// The neighbours that a block has common points with: across its faces and its edges. Direction d is
/// opposite to `opposite(d)`.
inline constexpr std::size_t directions = 18;
using offset = std::array<std::int64_t, 3>; ///< -1, 0 or 1 each
const std::array<offset, directions>& all_directions();
constexpr std::size_t opposite(std::size_t direction) {
  return directions - 1 - direction;
}
/// The block next to one, in the grid that repeats itself.
std::uint64_t neighbour(const grid&, std::uint64_t block, std::size_t direction);

class block {
 public:
  block() = default;
  block(const problem&, const grid&, std::uint64_t index);

  std::int64_t side() const { return grid_.side; }
  bool is_awake() const { return awake_; }
  /// To be called once in each phase, when all sides of the frame are there: whether there is anything to
  /// compute. Phases are numbered from 0 on, two for each step.
  bool begin_phase(std::uint64_t phase);
  /// A plane of the block, plane 0 ... side - 1, if there is. Planes in any order.
  void compute(std::uint64_t phase, std::int64_t plane);
  /// What the neighbour in this direction has in its frame during the phase; nothing of a block that sleeps.
  std::vector<double> for_neighbour(std::uint64_t phase, std::size_t direction) const;
  /// The same from the neighbour in this direction. It may come when this block is still in the phase before.
  void from_neighbour(std::uint64_t phase, std::size_t direction, std::span<const double> points);

  /// To be added up over all blocks.
  std::uint64_t checksum() const;
  /// The greatest difference from the solution at that time, or from rest.
  double error_at(double t) const;

  // A block that is zero, with its frame, travels without its points.
  template <class Archive>
  void save(Archive& a) const {
    a(problem_, grid_, index_, awake_, is_called_, is_zero_);
    if (!is_zero_) a(now_, before_, acceleration_);
  }
  template <class Archive>
  void load(Archive& a) {
    a(problem_, grid_, index_, awake_, is_called_, is_zero_);
    make_points();
    if (!is_zero_) a(now_, before_, acceleration_);
  }

 private:
  using field = std::array<std::vector<double>, 3>;

  void make_points();
  void set_first_state();
  std::ptrdiff_t at(std::int64_t i, std::int64_t j, std::int64_t k) const;
  vec3 place(std::int64_t i, std::int64_t j, std::int64_t k) const;
  std::uint64_t number(std::int64_t i, std::int64_t j, std::int64_t k) const;
  field& framed(std::uint64_t phase) { return phase % 2 == 0 ? now_ : acceleration_; }
  const field& framed(std::uint64_t phase) const { return phase % 2 == 0 ? now_ : acceleration_; }
  template <class Visit>
  void for_points(Visit visit) const;
  template <class Visit>
  void for_overlap(std::size_t direction, bool in_frame, Visit visit) const;

  problem problem_{};
  grid grid_{};
  std::uint64_t index_ = 0;
  bool awake_ = false, is_called_ = false; ///< the latter: to be awake from the next phase 0 on
  bool is_zero_ = true;                    ///< the frame, too
  field now_, before_, acceleration_, force_;
  std::vector<double> rho_, mu_, lambda_, both_;
};

} // namespace windrow::apps::elastic
