// SPDX-License-Identifier: BSD-3-Clause
// The bodies of a cell of space. In a step, a box tells the others where its bodies are, sends to each what
// of its tree is essential there, moves its bodies when it has all trees, and gives away those that have left
// the cell. It uses the trees in the order of their boxes, so results are the same to the last bit wherever
// boxes are and whatever comes first.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "apps/gravity/tree.hpp"

namespace windrow::apps::gravity {

/// What is the same for all boxes.
struct setting {
  grid cells{};
  std::uint64_t bodies = 8000;
  double opening = 0.5;
  double time_step = 2e-3;

  double mass() const { return 1 / static_cast<double>(bodies); }
};

class box {
 public:
  box() = default;
  box(const setting& s, std::uint64_t index) : setting_(s), index_(index) {}

  std::uint64_t index() const { return index_; }
  const std::vector<body>& bodies() const { return bodies_; }
  bool is_empty() const { return bodies_.empty(); }
  std::uint64_t cell_of(const body& b) const { return setting_.cells.cell_of(b); }

  /// A body comes in. It takes part from the next step on.
  void enter(const body& b) { entered_.push_back(b); }
  /// Makes the tree. Where its bodies are, if it has any.
  void begin_step();
  bounds where() const { return bounds_of(bodies_); }
  /// What a box with bodies there needs of this one.
  tree essential_for(const bounds& there) const { return essential(tree_, there, setting_.opening); }
  /// What this box needs of another one.
  void take(std::uint64_t from, std::span<const node> part) { parts_[from].assign(part.begin(), part.end()); }
  /// Moves the bodies, and gives those that have left. All trees are there.
  std::vector<body> end_step();

  template <class Archive>
  void serialize(Archive& a) {
    a(setting_, index_, bodies_, entered_, tree_, parts_);
  }

 private:
  setting setting_{};
  std::uint64_t index_ = 0;
  std::vector<body> bodies_, entered_;
  tree tree_;
  std::map<std::uint64_t, tree> parts_; ///< of the trees of others
};

} // namespace windrow::apps::gravity
