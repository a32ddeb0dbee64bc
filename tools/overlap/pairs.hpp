// SPDX-License-Identifier: BSD-3-Clause
// Accesses to the same memory that are in conflict: which of them have an order?
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tools/overlap/model.hpp"
#include "tools/overlap/order.hpp"

namespace windrow::overlap {

/// An access with the time that it lasts: from one event of its PE to another, at which it is known to be
/// over.
struct lasting_access {
  access what;
  int by; ///< the PE that does it
  std::size_t start, end;
  /// A fence behind it, `end` if there is none: signals to `target` from then on come after it.
  std::size_t fenced;
  int target;           ///< where a transfer arrives
  std::uint64_t signal; ///< the word that it tells itself of its arrival; order::any_word: none
  /// A collective does it, which has begun to before others come and may not be over when they leave.
  bool in_meeting;
};

/// All accesses of the run, without waits. What a transfer touches is complete at `ends`, of each PE and
/// event.
std::vector<lasting_access> accesses_of_run(const model&, const std::vector<std::vector<std::size_t>>& ends);

/// The same, and what code that was not recorded may do to symmetric memory: anything. Of each PE and each
/// part of its run between two barriers or collectives the first such code and the last.
std::vector<lasting_access> accesses_of_all_code(const model&,
                                                 const std::vector<std::vector<std::size_t>>& ends);

/// Whether `a` is over when `b` begins.
bool is_before(const order& by, const lasting_access& a, const lasting_access& b);
bool are_ordered(const order& by, const lasting_access& a, const lasting_access& b);

/// Calls `act` with each pair in conflict, as indices, until it returns false. Pairs of one event are none,
/// nor are those of one PE of which one is over when the other begins.
void for_each_conflict(const std::vector<lasting_access>&,
                       const std::function<bool(std::size_t, std::size_t)>& act);

} // namespace windrow::overlap
