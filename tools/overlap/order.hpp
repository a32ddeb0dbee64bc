// SPDX-License-Identifier: BSD-3-Clause
// Which events are before which, over all PEs: by program order, barriers, collectives, signals and locks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tools/overlap/model.hpp"

namespace windrow::overlap {

struct order_rules {
  /// A wait counts for order only where a single PE can have ended it. Without that it is behind everything
  /// that had been signalled by then: more order than there may be, for those who look for races.
  bool surely = false;
  /// Barriers at this site order nothing.
  std::optional<std::uint32_t> without;
};

class order {
 public:
  order(const model&, order_rules);

  /// Whether all PE `pe` had done up to `end`, and completed at that event, is over when event `start` of
  /// PE `other` begins.
  bool before(int pe, std::size_t end, int other, std::size_t start) const {
    if (pe == other) return end <= start;
    return clock_of(other, start)[static_cast<std::size_t>(pe)] > end;
  }

  /// The first event of PE `other` that knows that all PE `pe` had done up to `end` is over; the number of
  /// its events if there is none.
  std::size_t first_behind(int pe, std::size_t end, int other) const {
    const auto& events = index_[static_cast<std::size_t>(other)];
    const auto knows = [&](std::uint32_t clock) {
      return clocks_[clock][static_cast<std::size_t>(pe)] > end;
    };
    return static_cast<std::size_t>(std::ranges::partition_point(events, std::not_fn(knows)) -
                                    events.begin());
  }

 private:
  friend class order_maker;
  using clock = std::vector<std::size_t>; ///< for each PE, how many of its events are known to be over

  const clock& clock_of(int pe, std::size_t event) const {
    return clocks_[index_[static_cast<std::size_t>(pe)][event]];
  }

  std::vector<clock> clocks_;
  std::vector<std::vector<std::uint32_t>> index_; ///< of the clock, for each PE and event
};

} // namespace windrow::overlap
