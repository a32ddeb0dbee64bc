// SPDX-License-Identifier: BSD-3-Clause
// Transfers that have no latest place yet, by the memory that they touch.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "tools/overlap/access_index.hpp"
#include "tools/overlap/model.hpp"

namespace windrow::overlap {

class open_transfers {
 public:
  void add(std::size_t index, std::vector<access> touches) {
    for (const auto& one : touches) memory_.add(one, index);
    open_.emplace(index, std::move(touches));
  }

  /// Those that the access is in conflict with.
  std::vector<std::size_t> in_conflict_with(const access& other) const {
    std::vector<std::size_t> found;
    memory_.each_in_conflict(other, [&](std::size_t index) {
      found.push_back(index);
      return further::all;
    });
    return found;
  }

  bool has(std::size_t index) const { return open_.contains(index); }

  void remove(std::size_t index) {
    const auto found = open_.find(index);
    for (const auto& one : found->second) memory_.remove(one, index);
    open_.erase(found);
  }

  /// All of them, which are closed by that.
  std::vector<std::size_t> take_all() {
    // To clear it would take as long as the most that ever were in it.
    const auto taken = std::exchange(open_, {});
    memory_.clear();
    std::vector<std::size_t> all;
    all.reserve(taken.size());
    for (const auto& [index, touches] : taken) all.push_back(index);
    return all;
  }

 private:
  std::unordered_map<std::size_t, std::vector<access>> open_;
  access_index memory_;
};

} // namespace windrow::overlap
