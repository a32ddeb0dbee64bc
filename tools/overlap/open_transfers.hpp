// SPDX-License-Identifier: BSD-3-Clause
// Transfers that have no latest place yet, by the memory that they touch.
#pragma once

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tools/overlap/model.hpp"

namespace windrow::overlap {

class open_transfers {
 public:
  void add(std::size_t index, std::vector<access> touches) {
    for (const auto& one : touches) {
      auto& memory = memory_[{one.pe, one.writes}];
      memory.by_begin.emplace(one.where.begin, held{index, one});
      memory.longest = std::max(memory.longest, one.where.bytes);
    }
    open_.emplace(index, std::move(touches));
  }

  /// Those that the access is in conflict with. Of what only reads there may be any number, which a reader
  /// need not look at.
  std::vector<std::size_t> in_conflict_with(const access& other) const {
    std::vector<std::size_t> found;
    add_conflicts(other, true, found);
    if (other.writes) add_conflicts(other, false, found);
    return found;
  }

  bool has(std::size_t index) const { return open_.contains(index); }

  void remove(std::size_t index) {
    const auto found = open_.find(index);
    for (const auto& one : found->second) {
      auto& by_begin = memory_[{one.pe, one.writes}].by_begin;
      for (auto at = by_begin.lower_bound(one.where.begin); at->first == one.where.begin; ++at)
        if (at->second.index == index) {
          by_begin.erase(at);
          break;
        }
    }
    open_.erase(found);
  }

  /// All of them, which are closed by that.
  std::vector<std::size_t> take_all() {
    std::vector<std::size_t> all;
    all.reserve(open_.size());
    for (const auto& [index, touches] : open_) all.push_back(index);
    open_.clear();
    memory_.clear();
    return all;
  }

 private:
  struct held {
    std::size_t index;
    access what;
  };
  struct memory {
    std::multimap<std::uint64_t, held> by_begin;
    std::uint64_t longest = 0;
  };

  void add_conflicts(const access& other, bool with_writers, std::vector<std::size_t>& found) const {
    const auto in = memory_.find({other.pe, with_writers});
    if (in == memory_.end()) return;
    const auto& [by_begin, longest] = in->second;
    const auto first = other.where.begin - std::min(other.where.begin, longest);
    for (auto at = by_begin.lower_bound(first); at != by_begin.end() && at->first < other.where.end(); ++at)
      if (conflict(at->second.what, other)) found.push_back(at->second.index);
  }

  std::unordered_map<std::size_t, std::vector<access>> open_;
  std::map<std::pair<int, bool>, memory> memory_; ///< by PE, and whether it is written
};

} // namespace windrow::overlap
