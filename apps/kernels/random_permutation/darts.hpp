// SPDX-License-Identifier: BSD-3-Clause
// A random permutation by throwing darts (Gibbons, Matias and Ramachandran, "Efficient low-contention
// parallel algorithms", SPAA 1994): every number is a dart, thrown at random slots until it finds a free one;
// the darts in the order of their slots are the permutation.
//
// Here its result does not depend on who is faster. Where two darts meet, the smaller number stays and the
// other one is thrown again, even if it was there first. The slots that are in the end taken by whom are then
// the same in every order of the throws: those of the one stable matching in which all slots prefer smaller
// darts (Gale and Shapley, "College admissions and the stability of marriage", 1962; McVitie and Wilson, "The
// stable marriage problem", 1971), which is also what throwing the darts one after another gives.
#pragma once

#include <cstdint>

#include "apps/graph/mix.hpp"

namespace windrow::apps {

/// A dart in flight: its number, and in the lower bits how often it was thrown before. Smaller numbers are
/// smaller darts.
using dart = std::uint64_t;

inline constexpr unsigned throw_bits = 24;
inline constexpr dart no_dart = ~dart{0}; ///< larger than all darts
inline constexpr std::uint64_t most_darts = std::uint64_t{1} << (64 - throw_bits);

constexpr dart first_throw(std::uint64_t number) {
  return number << throw_bits;
}
constexpr dart next_throw(dart d) {
  return d + 1;
}
/// Who is thrown next when a dart has met what was in its slot: `no_dart` if that was free.
constexpr dart loser(dart flying, dart before) {
  return flying > before ? next_throw(flying) : before == no_dart ? no_dart : next_throw(before);
}
constexpr std::uint64_t number_of(dart d) {
  return d >> throw_bits;
}

/// Where darts are thrown.
struct dart_board {
  std::uint64_t darts;
  std::uint64_t seed;

  /// Twice as many as darts, so that the last dart finds a free slot with every second throw.
  std::uint64_t slots() const { return 2 * darts; }
  /// The slot that a dart is thrown at.
  std::uint64_t slot(dart d) const {
    return graph::below(slots(), graph::mix(graph::mix(seed) + d * graph::golden));
  }
};

} // namespace windrow::apps
