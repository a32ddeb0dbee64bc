// SPDX-License-Identifier: BSD-3-Clause
// The calls to the runtime that make a record: they open it, issue its fetches, and commit it.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/defer/plan/plan.hpp"

namespace windrow::compiler::defer {

struct issued_fetch {
  CallInst *fetch, *call; ///< as it was written, and to the runtime
  uint64_t slot;
};

class record_calls {
 public:
  /// Opens the record where it belongs.
  record_calls(const plan& scope, code& outer, code& callback, const shape& structure);

  CallInst* record() const { return record_; }
  ArrayRef<issued_fetch> issued() const { return issued_; }

  /// Issues the fetch where it stands. Its value, which `entry` loads in the callback.
  Value* issue(CallInst& fetch, IRBuilder<>& entry);

  /// In front of `end`.
  void commit(Instruction& end);

 private:
  CallInst* open_record(const plan& scope, const shape& structure);
  Value* issue_bulk(CallInst& fetch, IRBuilder<>& entry);
  void issue_into(Value& slot, CallInst& fetch, const std::string& name, uint64_t offset);
  uint64_t add_slot(const CallInst& fetch);

  code& outer_;
  code& callback_;
  LLVMContext& context_;
  PointerType* pointer_;
  CallInst* record_;
  SmallVector<issued_fetch, 4> issued_;
};

} // namespace windrow::compiler::defer
