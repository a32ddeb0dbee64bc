// SPDX-License-Identifier: BSD-3-Clause
// A copy of a loop's rounds that does only what places are computed by.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/comm/ahead.hpp"

namespace windrow::compiler::comm {

/// Counts the gathered reads of a block: what is computed ahead goes to, or is taken from, where it says.
/// In memory, until it is promoted.
struct place_counter {
  AllocaInst* next;  ///< as the rounds go on
  AllocaInst* whole; ///< those of rounds that have been gone through to their end
};

class inspector {
 public:
  inspector(Loop& loop, const ahead& plan, Function& function, IRBuilder<>& builder)
      : loop_(loop), plan_(plan), function_(function), builder_(builder) {}

  /// Makes the copy; its header.
  BasicBlock& copy();
  /// Where read `number` is in the copy. It is to be erased by who replaces it.
  CallInst& copy_of(size_t number) { return *cast<CallInst>(map_[plan_.reads[number].call]); }
  /// The copy's latch, without an end.
  BasicBlock& open_latch();

 private:
  void drop_what_is_idle();
  void drop(Instruction& copy);
  void keep_what_always_holds(Instruction& copy);
  void go_past_idle_choices();
  void delete_unreachable();
  bool is_read(const Instruction& instruction) const {
    return any_of(plan_.reads, [&](const plain_access& one) { return one.call == &instruction; });
  }
  BasicBlock& copy_of(BasicBlock& block) { return *cast<BasicBlock>(map_[&block]); }

  Loop& loop_;
  const ahead& plan_;
  Function& function_;
  IRBuilder<>& builder_;
  ValueToValueMapTy map_;
  SmallVector<BasicBlock*, 16> blocks_;
  Instruction* end_ = nullptr; ///< of the copy's latch
};

} // namespace windrow::compiler::comm
