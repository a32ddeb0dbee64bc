// SPDX-License-Identifier: BSD-3-Clause
// What of a loop's rounds has to run for some of its values to be known: what they are computed from, and
// what decides whether they are reached, and how often.
#pragma once

#include <string>

#include "compiler/comm/analyses.hpp"

namespace windrow::compiler::comm {

class slice {
 public:
  slice(Loop& loop, known_facts& facts);

  /// Takes in what `values` are computed from where `point` is reached; or says why that cannot run ahead of
  /// the rest of the loop, and takes nothing in.
  std::string add(Instruction& point, ArrayRef<Value*> values);

  /// Instructions of the loop, conditional ends of blocks too, but that of the loop itself.
  const SmallPtrSet<Instruction*, 16>& needed() const { return needed_; }
  /// Blocks that end with a choice that is not needed, and where the ways meet that can be taken there.
  SmallVector<std::pair<BasicBlock*, BasicBlock*>, 4> idle_choices() const;

 private:
  void find_deciders();
  std::string obstacle_of(Instruction& instruction);
  bool ends_by_itself(const BasicBlock& block);

  Loop& loop_;
  known_facts& facts_;
  bool returns_to_latch_; ///< every way through a round does
  DenseMap<const BasicBlock*, SmallVector<Instruction*, 2>>
      deciders_; ///< whether, or how often, a block runs
  SmallPtrSet<Instruction*, 16> needed_;
};

} // namespace windrow::compiler::comm
