// SPDX-License-Identifier: BSD-3-Clause
// What loops inside a round touch, as ranges of bytes.
#pragma once

#include "compiler/defer/plan/numbers.hpp"

namespace windrow::compiler::defer {

/// An address as an instruction computes it, how many bytes are accessed there, and the PE; null if it is
/// this one's memory, or nobody knows whose.
struct place_of_access {
  const Instruction* at;
  const Value* address;
  uint64_t bytes;
  const Value* pe;
  int64_t offset = 0; ///< where they begin, behind the address
};

/// Where the access begins in those rounds.
number begin_of(const place_of_access& access, numbers& rounds);

/// One access, and the rounds of the loops around it.
class access_in_rounds {
 public:
  access_in_rounds(const place_of_access& access, numbers& rounds) : access_(access), rounds_(rounds) {}

  /// Bytes from `low` to `high` behind an address.
  struct range {
    number base, pe;
    int64_t low, high;
  };
  /// All that it may touch in that round of the loop at `level` and the first ones of those around it,
  /// whatever the rounds of those inside. Nothing if one of these does not advance by the same step in each
  /// round.
  std::optional<range> range_in(unsigned level, unsigned round);
  /// The last round that the loop can have, whatever those around it; `most_rounds` if nobody knows.
  unsigned last_round(unsigned level);

 private:
  unsigned last_round_here(unsigned level);

  const place_of_access& access_;
  numbers& rounds_;
  bool bends_ = false; ///< what decides about the last round
};

/// More than any loop has.
constexpr unsigned most_rounds = 1U << 30;

/// Whether a later round of the loop at `level`, which is around both, fetches what an earlier one may have
/// written, if that is known of ranges. What is not known in the addresses is equal where it is computed
/// alike.
bool ranges_meet_later(access_in_rounds& write, access_in_rounds& fetch, unsigned level);

} // namespace windrow::compiler::defer
