// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <llvm/ADT/BitVector.h>
#include <llvm/Analysis/LoopInfo.h>

#include <map>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// What can run behind what before a call completes all deferred code. Answers are kept for as long as the
/// function's blocks stay as they are.
class reachability {
 public:
  /// Whether `to` can run behind `from`, without entering `border` on the way.
  bool reaches(const Instruction& from, const Instruction& to, const BasicBlock* border = nullptr);

  /// Whether the loop can be entered anew when it has been left.
  bool is_entered_again(const Loop& loop);

 private:
  const BitVector& behind(const BasicBlock& block, const BasicBlock* border);
  BitVector blocks_from(ArrayRef<const BasicBlock*> first, const BasicBlock* border);
  const Instruction* first_completion(const BasicBlock& block);
  unsigned number_of(const BasicBlock& block);

  DenseMap<const BasicBlock*, unsigned> numbers_;
  DenseMap<const BasicBlock*, const Instruction*> completions_;
  std::map<std::pair<const BasicBlock*, const BasicBlock*>, BitVector> behind_;
  DenseMap<const Loop*, bool> entered_again_;
};

} // namespace windrow::compiler
