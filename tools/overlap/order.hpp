// SPDX-License-Identifier: BSD-3-Clause
// Which events are before which, over all PEs: by program order, barriers, collectives, signals and locks.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "tools/overlap/model.hpp"

namespace windrow::overlap {

struct order_rules {
  /// A wait counts for order only where a single PE can have ended it, and a lock not at all. Without that it
  /// is behind everything that had been signalled by then: more order than there may be, for those who look
  /// for races.
  bool surely = false;
  /// Barriers at this site order nothing.
  std::optional<std::uint32_t> without;
};

class order {
 public:
  static constexpr std::uint64_t any_word = 0;

  order(const model&, order_rules);

  /// Whether all PE `pe` had done up to `end`, and completed at that event, is over when event `start` of
  /// PE `other` begins.
  bool before(int pe, std::size_t end, int other, std::size_t start) const {
    if (pe == other) return end <= start;
    return clock_of(other, start)[static_cast<std::size_t>(pe)] > end;
  }

  /// Whether a signal of PE `by` has come to PE `owner`, and that is known, when event `start` of PE `other`
  /// begins: one that was sent to `word`, or any word, by event `from` or a later one. What of the sender
  /// must arrive before that has arrived.
  struct signals {
    int by, owner;
    std::size_t from;
    std::uint64_t word = any_word;
  };
  bool have_come(const signals&, int other, std::size_t start) const;

 private:
  friend class order_maker;
  using clock = std::vector<std::size_t>; ///< for each PE, how many of its events are known to be over

  const clock& clock_of(int pe, std::size_t event) const {
    return clocks_[index_[static_cast<std::size_t>(pe)][event]];
  }

  struct arrival {
    std::size_t seen; ///< by this event
    std::size_t sent; ///< by the last of these events
  };
  struct road {
    int by, owner;
    std::uint64_t word;
    auto operator<=>(const road&) const = default;
  };

  void see_arrival(const road&, std::size_t sent, int pe, std::size_t event);

  std::vector<clock> clocks_;
  std::vector<std::vector<std::uint32_t>> index_;                ///< of the clock, for each PE and event
  std::map<road, std::map<int, std::vector<arrival>>> arrivals_; ///< by the PE that sees them
};

} // namespace windrow::overlap
