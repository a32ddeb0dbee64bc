// SPDX-License-Identifier: BSD-3-Clause
#include "apps/elastic/block.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "apps/graph/mix.hpp"

namespace windrow::apps::elastic {

namespace {

/// Blocks x first, then y, then z.
offset position(const grid& g, std::uint64_t block) {
  const auto b = static_cast<std::int64_t>(block);
  return {b % g.blocks, b / g.blocks % g.blocks, b / (g.blocks * g.blocks)};
}

std::int64_t wrapped(std::int64_t at, std::int64_t size) {
  return (at + size) % size;
}

} // namespace

// As SW4 does by default, but for a factor of 1.3 / 1.
double grid::time_step(const problem& p) const {
  return 1.0 / (static_cast<double>(points()) * std::sqrt(p.fastest_squared()));
}

const std::array<offset, directions>& all_directions() {
  static const auto all = [] {
    std::array<offset, directions> result{};
    std::size_t count = 0;
    for (std::int64_t z = -1; z <= 1; ++z)
      for (std::int64_t y = -1; y <= 1; ++y)
        for (std::int64_t x = -1; x <= 1; ++x)
          if (const auto sides = std::abs(x) + std::abs(y) + std::abs(z); sides == 1 || sides == 2)
            result[count++] = {x, y, z};
    return result;
  }();
  return all;
}

std::uint64_t neighbour(const grid& g, std::uint64_t block, std::size_t direction) {
  auto p = position(g, block);
  for (std::size_t a = 0; a < 3; ++a) p[a] = wrapped(p[a] + all_directions()[direction][a], g.blocks);
  return static_cast<std::uint64_t>((p[2] * g.blocks + p[1]) * g.blocks + p[0]);
}

block::block(const problem& p, const grid& g, std::uint64_t index) : problem_(p), grid_(g), index_(index) {
  make_points();
  set_first_state();
}

// ---- points

std::ptrdiff_t block::at(std::int64_t i, std::int64_t j, std::int64_t k) const {
  const auto row = grid_.side + 2 * reach;
  return ((k + reach) * row + j + reach) * row + i + reach;
}

std::uint64_t block::number(std::int64_t i, std::int64_t j, std::int64_t k) const {
  const auto p = position(grid_, index_);
  const auto all = grid_.points();
  const auto x = wrapped(p[0] * grid_.side + i, all), y = wrapped(p[1] * grid_.side + j, all),
             z = wrapped(p[2] * grid_.side + k, all);
  return static_cast<std::uint64_t>((z * all + y) * all + x);
}

// The same for a point and for its copies in frames, to the last bit.
vec3 block::place(std::int64_t i, std::int64_t j, std::int64_t k) const {
  const auto n = static_cast<std::int64_t>(number(i, j, k));
  const auto all = grid_.points();
  const auto coordinate = [&](std::int64_t c) { return static_cast<double>(c) / static_cast<double>(all); };
  return {coordinate(n % all), coordinate(n / all % all), coordinate(n / (all * all))};
}

template <class Visit>
void block::for_points(Visit visit) const {
  for (std::int64_t k = 0; k < grid_.side; ++k)
    for (std::int64_t j = 0; j < grid_.side; ++j)
      for (std::int64_t i = 0; i < grid_.side; ++i) visit(i, j, k);
}

// The points of the frame on that side, or those of the block that are in the neighbour's frame.
template <class Visit>
void block::for_overlap(std::size_t direction, bool in_frame, Visit visit) const {
  std::array<std::int64_t, 3> begin{}, end{};
  for (std::size_t a = 0; a < 3; ++a) {
    const auto d = all_directions()[direction][a];
    const auto depth = in_frame ? reach : 0;
    begin[a] = d > 0 ? grid_.side - reach + depth : d < 0 ? -depth : 0;
    end[a] = d == 0 ? grid_.side : begin[a] + reach;
  }
  for (auto k = begin[2]; k < end[2]; ++k)
    for (auto j = begin[1]; j < end[1]; ++j)
      for (auto i = begin[0]; i < end[0]; ++i) visit(at(i, j, k));
}

void block::make_points() {
  const auto row = static_cast<std::size_t>(grid_.side + 2 * reach);
  const auto size = row * row * row;
  for (auto* f : {&now_, &before_, &acceleration_, &force_})
    for (auto& component : *f) component.assign(size, 0);
  for (auto* m : {&rho_, &mu_, &lambda_, &both_}) m->assign(size, 0);
  for (auto k = -reach; k < grid_.side + reach; ++k)
    for (auto j = -reach; j < grid_.side + reach; ++j)
      for (auto i = -reach; i < grid_.side + reach; ++i) {
        const auto here = static_cast<std::size_t>(at(i, j, k));
        const auto [rho, lambda, mu] = problem_.medium(place(i, j, k));
        rho_[here] = rho, lambda_[here] = lambda, mu_[here] = mu;
        both_[here] = 2 * mu + lambda;
        const auto f = problem_.force(place(i, j, k));
        for (std::size_t a = 0; a < 3; ++a) force_[a][here] = f[a];
      }
}

void block::set_first_state() {
  const auto dt = grid_.time_step(problem_);
  for_points([&](auto i, auto j, auto k) {
    const auto here = static_cast<std::size_t>(at(i, j, k));
    const auto first = problem_.displacement(place(i, j, k), 0);
    const auto earlier = problem_.displacement(place(i, j, k), -dt);
    for (std::size_t a = 0; a < 3; ++a) {
      now_[a][here] = first[a];
      before_[a][here] = earlier[a];
      awake_ = awake_ || first[a] != 0 || force_[a][here] != 0;
    }
  });
  is_zero_ = !awake_;
}

// ---- phases

bool block::begin_phase(std::uint64_t phase) {
  if (phase % 2 == 0) awake_ |= is_called_;
  return awake_;
}

void block::compute(std::uint64_t phase, std::int64_t plane) {
  const auto dt = grid_.time_step(problem_);
  const auto step = phase / 2;
  const auto t = static_cast<double>(step) * dt;
  const auto per_length = static_cast<double>(grid_.points());
  const auto pulse = phase % 2 == 0 ? problem_.pulse(t) : problem_.pulse_curvature(t);
  const std::array<std::ptrdiff_t, 3> strides{1, at(0, 1, 0) - at(0, 0, 0), at(0, 0, 1) - at(0, 0, 0)};
  const auto& of = framed(phase);
  for (std::int64_t j = 0; j < grid_.side; ++j)
    for (auto p = at(0, j, plane); p < at(grid_.side, j, plane); ++p) {
      const auto here = static_cast<std::size_t>(p);
      const auto stress = divergence_of_stress({&mu_[here], &lambda_[here], &both_[here]},
                                               {&of[0][here], &of[1][here], &of[2][here]}, strides);
      for (std::size_t a = 0; a < 3; ++a) {
        const auto result = (stress[a] * per_length * per_length + force_[a][here] * pulse) / rho_[here];
        if (phase % 2 == 0) {
          acceleration_[a][here] = result;
          continue;
        }
        const auto next = 2 * now_[a][here] - before_[a][here] + dt * dt * acceleration_[a][here] +
                          dt * dt * dt * dt / 12 * result;
        before_[a][here] = now_[a][here];
        now_[a][here] = next;
      }
    }
}

std::vector<double> block::for_neighbour(std::uint64_t phase, std::size_t direction) const {
  std::vector<double> result;
  if (!awake_) return result;
  for (const auto& component : framed(phase))
    for_overlap(direction, false,
                [&](std::ptrdiff_t p) { result.push_back(component[static_cast<std::size_t>(p)]); });
  return result;
}

void block::from_neighbour(std::uint64_t phase, std::size_t direction, std::span<const double> points) {
  if (points.empty()) return; // that neighbour has always been zero
  auto next = points.begin();
  for (auto& component : framed(phase))
    for_overlap(direction, true, [&](std::ptrdiff_t p) { component[static_cast<std::size_t>(p)] = *next++; });
  is_zero_ = false;
  if (phase % 2 == 0 && !awake_ && !is_called_)
    is_called_ = std::ranges::any_of(points, [&](double u) { return std::abs(u) > grid_.quiet; });
}

// ---- results

std::uint64_t block::checksum() const {
  std::uint64_t sum = 0;
  for_points([&](auto i, auto j, auto k) {
    for (std::size_t a = 0; a < 3; ++a) {
      const auto u = now_[a][static_cast<std::size_t>(at(i, j, k))] + 0.0; // no zero is negative
      sum += graph::mix(graph::mix(number(i, j, k) * 3 + a) ^ std::bit_cast<std::uint64_t>(u));
    }
  });
  return sum;
}

double block::error_at(double t) const {
  double greatest = 0;
  for_points([&](auto i, auto j, auto k) {
    const auto wanted = problem_.displacement(place(i, j, k), t);
    for (std::size_t a = 0; a < 3; ++a)
      greatest = std::max(greatest, std::abs(now_[a][static_cast<std::size_t>(at(i, j, k))] - wanted[a]));
  });
  return greatest;
}

} // namespace windrow::apps::elastic
