// SPDX-License-Identifier: BSD-3-Clause
#include "apps/gravity/box.hpp"

#include <algorithm>

namespace windrow::apps::gravity {

void box::begin_step() {
  bodies_.insert(bodies_.end(), entered_.begin(), entered_.end());
  entered_.clear();
  std::ranges::sort(bodies_, {}, &body::number);
  tree_ = make_tree(bodies_, setting_.mass());
}

// Velocities are those half a step earlier (leapfrog).
std::vector<body> box::end_step() {
  if (!is_empty()) parts_[index_] = std::move(tree_);
  for (auto& b : bodies_) {
    vec3 acceleration{};
    for (const auto& [from, part] : parts_) attract(part, setting_.opening, b.at, acceleration);
    for (std::size_t a = 0; a < 3; ++a) b.velocity[a] += acceleration[a] * setting_.time_step;
  }
  for (auto& b : bodies_)
    for (std::size_t a = 0; a < 3; ++a) b.at[a] += b.velocity[a] * setting_.time_step;
  tree_.clear();
  parts_.clear();
  std::vector<body> leavers;
  std::erase_if(bodies_, [&](const body& b) {
    if (cell_of(b) == index_) return false;
    leavers.push_back(b);
    return true;
  });
  return leavers;
}

} // namespace windrow::apps::gravity
