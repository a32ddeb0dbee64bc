// SPDX-License-Identifier: BSD-3-Clause
// Loops that only store what they read: one get each, straight to where they store it.
#pragma once

#include <optional>
#include <string>

#include "compiler/comm/loop_plan.hpp"
#include "compiler/comm/stores.hpp"

namespace windrow::compiler::comm {

/// A read of each round, and where the round stores what it has read.
struct copied_read {
  const transfer* from; ///< of the plan
  stepping_place to;

  CallInst& call() const { return *from->members.front().access.call; }
  uint64_t bytes() const { return to.bytes; }
  /// Rounds follow each other without a gap, here and there.
  bool is_dense() const { return from->distance() == bytes() && to.step == from->step; }
};

/// All that the loop does; empty if it does more, or if it is not known that nothing of it meets.
using loop_copy = SmallVector<copied_read, 2>;

/// The plan is of that loop, and lives as long.
loop_copy copy_of(Loop& loop, const loop_plan& plan, known_facts& facts);

/// Puts gets in place of the loop, which is gone then.
void replace_by_gets(Loop& loop, const loop_plan& plan, const loop_copy& copy, known_facts& facts);

} // namespace windrow::compiler::comm
