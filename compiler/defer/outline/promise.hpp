// SPDX-License-Identifier: BSD-3-Clause
// The version of a function that runs with SHMEM_DEBUG: as it is written, and telling the library what would
// wait and what would not, by place, so that it sees where the first promise is not kept
// (docs/defer-pragma.md).
#pragma once

#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/defer/outline/exceptions.hpp"
#include "compiler/defer/plan/drains.hpp"

namespace windrow::compiler::defer {

class promise_checks {
 public:
  /// Of the function as it is now, before any statement is transformed.
  promise_checks(Function& function, const hidden_handlers& handlers);
  ~promise_checks();
  promise_checks(const promise_checks&) = delete;
  promise_checks& operator=(const promise_checks&) = delete;

  /// A statement, before anything of it is moved.
  void watch(ArrayRef<plan*> plans, const code& body, BasicBlock* entry, const SetVector<BasicBlock*>& region,
             ArrayRef<completion> completions);

  /// The version, which is the caller's; null if there is none.
  Function* take();

 private:
  Value* in_copy(const Value& original) const { return map_.lookup(&original); }
  void begin_with(const BasicBlock& block);
  void begin_at(Instruction& place);
  void look_at(const Instruction& instruction, bool waits, const code& body);
  void check_fetch(CallBase& copy);
  void check(Instruction& copy, Value& at, Value& bytes, CallBase* operation, unsigned kind);
  Value* place_in_source(const Instruction& instruction);

  ValueToValueMapTy map_;
  Function* checked_;
  std::vector<std::pair<WeakVH, BasicBlock*>> calls_;        // with their handlers
  std::vector<std::pair<WeakVH, WeakVH>> fetches_;           // and their copies
  DenseMap<std::pair<const void*, unsigned>, Value*> texts_; // of files and lines
};

} // namespace windrow::compiler::defer
