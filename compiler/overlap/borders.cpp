// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/overlap/borders.hpp"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace windrow::compiler::overlap {

namespace {

bool must_be_tail_call(const Value* use) {
  const auto* call = dyn_cast<CallInst>(use);
  return call && call->isMustTailCall();
}

bool is_in_code_without_checks(const Value* use) {
  const auto* instruction = dyn_cast<Instruction>(use);
  return instruction && !has_checks(*instruction->getFunction());
}

// A call that ends its caller cannot be followed by anything, so that its function looks for both.
bool may_be_called_from_outside(const Function& function) {
  return !function.hasLocalLinkage() || function.hasAddressTaken() ||
         any_of(function.users(), must_be_tail_call) || any_of(function.users(), is_in_code_without_checks);
}

class border_guard {
 public:
  border_guard(Function& function, instruments& with)
      : function_(function),
        with_(with),
        address_(PointerType::get(function.getContext(), 0)),
        callee_(with.module().getOrInsertGlobal("windrow_overlap_callee", address_)) {}

  void run() {
    SmallVector<CallBase*, 16> calls;
    SmallVector<Instruction*, 4> ends;
    for (auto& one : instructions(function_)) {
      if (auto* call = dyn_cast<CallBase>(&one); call && is_told(*call)) calls.push_back(call);
      if (isa<ReturnInst, ResumeInst>(one)) ends.push_back(&one);
    }
    if (may_be_called_from_outside(function_)) guard(ends);
    for (auto* call : calls) IRBuilder<>(call).CreateStore(call->getCalledOperand(), callee_);
  }

 private:
  static bool is_told(const CallBase& call) {
    if (isa<IntrinsicInst>(call) || call.isInlineAsm() || must_be_tail_call(&call)) return false;
    const auto* callee = call.getCalledFunction();
    return !callee || (may_be_called_from_outside(*callee) && !callee->getName().starts_with("windrow_") &&
                       !callee->getName().starts_with("shmem_"));
  }

  void guard(ArrayRef<Instruction*> ends) {
    IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
    auto* told = entry.CreateLoad(address_, callee_);
    entry.CreateStore(ConstantPointerNull::get(address_), callee_);
    auto* is_told = entry.CreateICmpEQ(told, &function_);
    for (auto* end : ends) {
      auto* before = end->getPrevNode();
      if (before && must_be_tail_call(before)) end = before;
      IRBuilder<> builder(with_.if_anything_is_tracked(end));
      auto* outside = isa<ReturnInst>(end) ? builder.CreateNot(is_told) : builder.getTrue();
      auto* then = SplitBlockAndInsertIfThen(outside, &*builder.GetInsertPoint(), false);
      builder.SetInsertPoint(then);
      with_.call(builder, "leave", {});
    }
  }

  Function& function_;
  instruments& with_;
  PointerType* address_;
  Constant* callee_;
};

} // namespace

void guard_borders(Function& function, instruments& with) {
  border_guard(function, with).run();
}

} // namespace windrow::compiler::overlap
