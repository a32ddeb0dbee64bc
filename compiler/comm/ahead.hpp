// SPDX-License-Identifier: BSD-3-Clause
// What can be computed for many rounds of a loop before any of them runs: the places that indirect reads
// name.
#pragma once

#include <string>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/stores.hpp"

namespace windrow::compiler::comm {

/// A condition that a read depends on, and what is computed for the read behind it.
struct guard {
  Value* condition;
  bool when;
  SmallVector<Instruction*, 4> computed;
};

/// Of a loop: which instructions are to run ahead, and what has to hold for that as the program runs.
struct ahead {
  /// Reads whose places are computed ahead, in the order of the program.
  SmallVector<plain_access, 2> reads;
  /// Of each: the conditions, the outermost first. None: the read is made in every round.
  SmallVector<SmallVector<guard, 1>, 2> guards;
  /// What computes them in every round, in the order of the program, and the phis of the header that this
  /// needs.
  SmallVector<Instruction*, 16> computed;
  SmallVector<PHINode*, 4> phis;
  /// What the loop stores in memory of this PE, and may be what is read from near PEs.
  SmallVector<stepping_place, 4> stores;
  /// Pairs that must not meet: what the loop stores, and what is loaded ahead.
  SmallVector<std::pair<stepping_place, stepping_place>, 4> apart;
};

/// Collects reads of one loop.
class ahead_finder {
 public:
  ahead_finder(Loop& loop, known_facts& facts) : loop_(loop), facts_(facts) {}

  /// Takes the read in, or says why its place cannot be computed ahead.
  std::string add(const plain_access& read);
  /// What can be done for the reads that were taken in; or why nothing can.
  std::string finish(ahead& found);

 private:
  struct condition {
    BranchInst* decides;
    BasicBlock* block; ///< which runs then
  };
  std::optional<SmallVector<condition, 1>> conditions_of(const plain_access& read) const;
  std::string obstacle_of(Instruction& instruction, ArrayRef<condition> conditions) const;
  void add_guards(const plain_access& read);
  bool is_in_every_round(const BasicBlock* block) const {
    return facts_.dominators.dominates(block, loop_.getLoopLatch());
  }
  std::string compare(const loop_store& store);
  std::string compare_with_loads(const loop_store& store, const std::string& told);

  Loop& loop_;
  known_facts& facts_;
  SmallVector<plain_access, 2> reads_;
  SmallPtrSet<Instruction*, 16> needed_; ///< phis of the header too
  SmallVector<LoadInst*, 8> loads_;      ///< of these
  ahead found_;
};

} // namespace windrow::compiler::comm
