// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::defer {

/// What is the same each time that a place in the code is reached: while the loops around it run, or, if
/// there is none, the loop over a batch. An opinion: who needs to be sure compares at run time.
class invariance {
 public:
  /// `in_pieces`: the loop around the place is one of few rounds, and is left out.
  invariance(const Instruction& place, bool in_batches, bool in_pieces = false);

  bool in_loop() const { return outermost_ || in_batches_; }
  bool is_invariant(const Value& value) const;

 private:
  bool is_common(const Value& address) const;
  bool is_changed(const Value& address) const;

  const Function& function_;
  bool in_batches_;
  DominatorTree dominators_;
  LoopInfo loops_;
  Loop* outermost_ = nullptr;
};

} // namespace windrow::compiler::defer
