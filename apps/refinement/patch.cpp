// SPDX-License-Identifier: BSD-3-Clause
#include "apps/refinement/patch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/graph/mix.hpp"

namespace windrow::apps::refinement {

namespace {

point middle(point a, point b) {
  return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}

std::uint64_t number_of(point p) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(p.x)) << 32 | static_cast<std::uint32_t>(p.y);
}

} // namespace

edge edge_between(point p, point q) {
  return p < q ? edge{p, q} : edge{q, p};
}

std::size_t edge_hash::operator()(const edge& e) const {
  return graph::mix(number_of(e.a) ^ graph::mix(number_of(e.b)));
}

bool domain::is_too_large(const triangle& t, std::uint64_t step) const {
  const auto unit = 1.0 / (static_cast<double>(side) * patch_side);
  const auto length = [&](std::int64_t coordinates) { return static_cast<double>(coordinates) * unit; };
  const auto angle = 2 * std::numbers::pi * static_cast<double>(step % period) / static_cast<double>(period);
  const auto x = length(std::int64_t{t.base_a.x} + t.base_b.x + t.newest.x) / 3;
  const auto y = length(std::int64_t{t.base_a.y} + t.base_b.y + t.newest.y) / 3;
  const auto distance = std::hypot(x - 0.5 - 0.3 * std::cos(angle), y - 0.5 - 0.3 * std::sin(angle));
  const auto size = std::hypot(length(std::int64_t{t.base_a.x} - t.base_b.x),
                               length(std::int64_t{t.base_a.y} - t.base_b.y));
  return size > finest + growth * distance;
}

point patch::corner() const {
  return {static_cast<std::int32_t>(index_ % domain_.side) * patch_side,
          static_cast<std::int32_t>(index_ / domain_.side) * patch_side};
}

void patch::begin(std::uint64_t step, const teller& tell) {
  step_ = step;
  const auto [x, y] = corner();
  const point low_left{x, y}, low_right{x + patch_side, y}, high_left{x, y + patch_side},
      high_right{x + patch_side, y + patch_side};
  triangles_ = {{low_left, high_right, low_right}, {low_left, high_right, high_left}};
  told_.clear();
  find_edges();
  unchecked_ = {0, 1};
  tell_ = &tell;
  close();
}

void patch::split(const edge& e, const teller& tell) {
  told_.insert(e);
  hanging_.push_back(e);
  tell_ = &tell;
  close();
}

void patch::find_edges() {
  edges_.clear();
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) join(t);
}
void patch::join(std::uint32_t t) {
  const auto& [a, b, c] = triangles_[t];
  for (const auto& e : {edge_between(a, b), edge_between(b, c), edge_between(c, a)}) {
    auto& s = edges_[e];
    (s.one == none ? s.one : s.other) = t;
  }
}
void patch::leave(std::uint32_t t) {
  const auto& [a, b, c] = triangles_[t];
  for (const auto& e : {edge_between(a, b), edge_between(b, c), edge_between(c, a)}) {
    const auto found = edges_.find(e);
    auto& s = found->second;
    if (s.one == t) s.one = s.other;
    s.other = none;
    if (s.one == none) edges_.erase(found);
  }
}

// Bisects until nothing is too large and no vertex hangs. Each bisection has one of these two reasons, so the
// order does not matter.
void patch::close() {
  for (;;) {
    if (!hanging_.empty()) {
      const auto found = edges_.find(hanging_.back());
      if (found == edges_.end())
        hanging_.pop_back();
      else
        bisect(found->second.one);
    } else if (!unchecked_.empty()) {
      const auto t = unchecked_.back();
      unchecked_.pop_back();
      if (domain_.is_too_large(triangles_[t], step_)) bisect(t);
    } else {
      return;
    }
  }
}

void patch::bisect(std::uint32_t t) {
  const auto [a, b, c] = triangles_[t];
  const auto base = edge_between(a, b);
  const auto m = middle(a, b);
  leave(t);
  const auto second = static_cast<std::uint32_t>(triangles_.size());
  triangles_[t] = {c, a, m};
  triangles_.push_back({b, c, m});
  join(t);
  join(second);
  unchecked_.push_back(t);
  unchecked_.push_back(second);
  hanging_.push_back(base); // on the other side, if that is in this patch
  for (const auto& half : {edge_between(a, m), edge_between(m, b)})
    if (told_.contains(half)) hanging_.push_back(half);
  tell_neighbour(base);
}

void patch::tell_neighbour(const edge& e) const {
  const auto [x, y] = corner();
  const auto last = static_cast<std::int32_t>(domain_.side) * patch_side;
  const auto lies_on = [](std::int32_t a, std::int32_t b, std::int32_t line) {
    return a == line && b == line;
  };
  if (lies_on(e.a.x, e.b.x, x) && x > 0) (*tell_)(index_ - 1, e);
  if (lies_on(e.a.x, e.b.x, x + patch_side) && x + patch_side < last) (*tell_)(index_ + 1, e);
  if (lies_on(e.a.y, e.b.y, y) && y > 0) (*tell_)(index_ - domain_.side, e);
  if (lies_on(e.a.y, e.b.y, y + patch_side) && y + patch_side < last) (*tell_)(index_ + domain_.side, e);
}

std::uint64_t checksum(const std::vector<triangle>& all) {
  std::uint64_t sum = 0;
  for (const auto& t : all) {
    const auto base = edge_between(t.base_a, t.base_b);
    sum += graph::mix(edge_hash()(base) ^ number_of(t.newest));
  }
  return sum;
}

} // namespace windrow::apps::refinement
