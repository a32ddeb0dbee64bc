// SPDX-License-Identifier: BSD-3-Clause
// What can be computed for many rounds of a loop before any of them runs: the places that indirect reads
// name.
#pragma once

#include <string>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/slices.hpp"
#include "compiler/comm/stores.hpp"

namespace windrow::compiler::comm {

/// Of a loop, and those in it: which instructions are to run ahead, and what has to hold for that as the
/// program runs.
struct ahead {
  /// Reads whose places are computed ahead, in the order of the program.
  SmallVector<plain_access, 2> reads;
  /// What computes them, and decides whether, and how often, they are made (slices.hpp).
  SmallPtrSet<Instruction*, 16> needed;
  /// Where something else is decided, and behind that.
  SmallVector<std::pair<BasicBlock*, BasicBlock*>, 4> idle_choices;
  /// What the loop stores in memory of this PE, and may be what is read from near PEs.
  SmallVector<stepping_place, 4> stores;
  /// Puts that stay in their rounds, and then change what has been read ahead.
  SmallVector<CallInst*, 2> puts;
  /// Pairs that must not meet: what the loop stores, and what is loaded ahead.
  SmallVector<std::pair<stepping_place, stepping_place>, 4> apart;
};

/// Collects reads of one loop.
class ahead_finder {
 public:
  ahead_finder(Loop& loop, known_facts& facts) : loop_(loop), facts_(facts) {}

  /// To be called first: what is stored is looked at, which may move instructions out of the loop.
  void begin();
  /// Takes the read in, or says why its place cannot be computed ahead.
  std::string add(const plain_access& read);
  /// What can be done for the reads that were taken in; or why nothing can.
  std::string finish(ahead& found);
  /// Behind that: whether nothing of what names the places may be what the access writes, on whichever PE.
  bool names_no_place(const plain_access& write) const;

 private:
  std::string obstacle_of_loads() const;
  std::string compare(const loop_store& store);
  std::string compare_with_loads(const loop_store& store, const std::string& told);
  bool comes_first(const LoadInst& load, const Instruction& store) const;

  Loop& loop_;
  known_facts& facts_;
  std::optional<slice> needed_;
  loop_stores stores_;
  SmallVector<LoadInst*, 8> loads_; ///< of what is needed
  ahead found_;
};

} // namespace windrow::compiler::comm
