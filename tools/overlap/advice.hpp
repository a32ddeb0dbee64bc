// SPDX-License-Identifier: BSD-3-Clause
// What a person is told: for each place in the source that waits for transfers, where the wait could be.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "tools/overlap/model.hpp"

namespace windrow::overlap {

/// What ends a transfer's time: an event of that kind there.
struct limit {
  std::uint32_t site;
  action what;
  bool signal; ///< it tells another PE that what was before is over
  auto operator<=>(const limit&) const = default;
};
/// The end of the program.
inline constexpr limit end_of_program{0, action::unknown_code, false};

limit limit_at(const model&, int pe, std::size_t event);

/// What it brings to move the waits of a place.
struct gain {
  std::size_t times = 0;       ///< that a PE came there, and had something to wait for
  std::uint64_t waited_ns = 0; ///< in all
  std::uint64_t saved_ns = 0;  ///< of these, at most: as long as something else was there to be done
  std::uint64_t work_ns = 0;   ///< of the program by itself between the wait and its new place, and of other
                               ///< transfers
  bool small_too = false;      ///< what gains little is listed too
  /// A PE came there, and waited; `work` was there to be done meanwhile.
  void add(const event& wait, std::uint64_t work);
  /// Else moving the wait would gain nothing that is worth it: a tenth of the time waited, with so much work
  /// to do meanwhile, half a microsecond or more.
  bool worthwhile(std::uint64_t least_work_ns = 500) const;
};

/// A place in the source that waits: a blocking transfer, or a quiet, fence or barrier that completes some.
struct advice : gain {
  std::uint32_t site;
  action what;
  std::map<limit, std::size_t> latest;            ///< where the wait could be at the latest, and how often
  std::map<std::uint32_t, std::size_t> waits_for; ///< sites of the transfers that it completes, and how many
  /// That of a barrier cannot move, it can be split.
  bool worthwhile() const { return what != action::barrier && gain::worthwhile(); }
};

/// By site.
std::vector<advice> advise(const model&);

} // namespace windrow::overlap
