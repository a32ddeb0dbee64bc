// SPDX-License-Identifier: BSD-3-Clause
// Fetches of what earlier rounds of the same loops write.
#pragma once

#include "compiler/defer/plan/ranges.hpp"

namespace windrow::compiler::defer {

class later_rounds {
 public:
  /// Of the loops in the region.
  later_rounds(const SetVector<BasicBlock*>& region, const code& body)
      : region_(region), body_(body), structure_(*body.function), written_(body, structure_) {}

  /// The loops around both of which a later round comes to fetch what an earlier one has written. Addresses
  /// of the first rounds are computed, and what loops around only one of them touch, as ranges; two parts
  /// that are not known are equal if they are computed alike. With `also_perhaps`, those too each round of
  /// which writes where it has fetched, and nothing is known of how that place changes, so that it may come
  /// again.
  SmallVector<const Loop*, 2> that_fetch(const place_of_access& written, const place_of_access& fetched,
                                         bool also_perhaps) const;

  /// The loops around both.
  SmallVector<const Loop*, 2> around(const Instruction& one, const Instruction& other) const;

 private:
  loop_nest loops_around(const Instruction& instruction) const;

  const SetVector<BasicBlock*>& region_;
  const code& body_;
  shape structure_;
  writers written_;
  mutable uint64_t steps_left_ = 2'000'000; ///< for the region: about a second
};

} // namespace windrow::compiler::defer
