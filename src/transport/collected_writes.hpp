// SPDX-License-Identifier: BSD-3-Clause
// Writes and updates that have been kept, in the order of the program, until they leave together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "windrow/detail/atomic_change.hpp"
#include "windrow/types.hpp"

namespace windrow::transport {

/// Keeps changes of several PEs, and gives them back PE by PE, each PE's in the order in which they came. One
/// thread at a time.
class collected_writes {
 public:
  /// Takes the memory for `most` changes of `pes` PEs, so that nothing later fails. Throws std::bad_alloc.
  void prepare(std::size_t most, std::size_t pes) {
    changes_.reserve(most);
    sorted_.reserve(most);
    owners_.reserve(most);
    targets_.reserve(pes);
    of_target_.resize(pes);
  }

  void add(pe_t to, const detail::placed_change& change) {
    if (of_target_[static_cast<std::size_t>(to)]++ == 0) targets_.push_back(to);
    changes_.push_back(change);
    owners_.push_back(to);
  }

  std::size_t size() const { return changes_.size(); }
  bool empty() const { return changes_.empty(); }
  bool any_for(pe_t pe) const { return of_target_[static_cast<std::size_t>(pe)] != 0; }
  /// Each PE that has any, once.
  std::span<const pe_t> targets() const { return targets_; }

  /// Calls `use(pe, changes)` for each target.
  template <class Use>
  void each_target(Use use) {
    sort();
    std::size_t begin = 0;
    for (const auto pe : targets_) {
      const auto end = std::size_t{of_target_[static_cast<std::size_t>(pe)]};
      use(pe, std::span<const detail::placed_change>(sorted_).subspan(begin, end - begin));
      begin = end;
    }
  }

  void clear() {
    for (const auto pe : targets_) of_target_[static_cast<std::size_t>(pe)] = 0;
    changes_.clear();
    owners_.clear();
    targets_.clear();
  }

 private:
  // By counting. Afterwards `of_target_` says where a target's end.
  void sort() {
    std::uint32_t begin = 0;
    for (const auto pe : targets_) begin += std::exchange(of_target_[static_cast<std::size_t>(pe)], begin);
    sorted_.resize(changes_.size());
    for (std::size_t i = 0; i < changes_.size(); ++i)
      sorted_[of_target_[static_cast<std::size_t>(owners_[i])]++] = changes_[i];
  }

  std::vector<detail::placed_change> changes_, sorted_;
  std::vector<pe_t> owners_;             ///< of the changes
  std::vector<pe_t> targets_;            ///< each PE that has any, once
  std::vector<std::uint32_t> of_target_; ///< by PE: how many
};

} // namespace windrow::transport
