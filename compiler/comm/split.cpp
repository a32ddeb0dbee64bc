// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/split.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <limits>

#include "compiler/comm/accesses.hpp"
#include "compiler/common/api/routines.hpp"
#include "compiler/common/runtime/inline_library.hpp"

namespace windrow::compiler::comm {

namespace {

/// What is under way is a value of the function: null where nothing is, so that a wait there is one
/// comparison.
class splitter {
 public:
  explicit splitter(Function& function) : function_(function), builder_(function.getContext()) {}

  void run(const wait_plan& plan) {
    auto& entry = function_.getEntryBlock();
    builder_.SetInsertPoint(&entry, entry.getFirstInsertionPt());
    under_way_ = builder_.CreateAlloca(builder_.getPtrTy(), nullptr, "under.way");
    builder_.CreateStore(nothing(), under_way_);
    start_behind_loops(plan);
    for (auto* one : plan.waits) wait_before(*one);
    for (const auto& one : plan.looks) look_before(one);
    for (const auto& one : plan.begun) begin(one.access, one.loop != nullptr);
    DominatorTree dominators(function_);
    PromoteMemToReg({under_way_}, dominators);
  }

 private:
  Constant* nothing() { return ConstantPointerNull::get(builder_.getPtrTy()); }

  CallInst* call(StringRef name, Type* result, ArrayRef<Value*> arguments) {
    auto* made = call_inlined(builder_, name, result, arguments);
    made->setDoesNotThrow();
    made->addFnAttr(Attribute::WillReturn);
    return made;
  }

  /// Moves the builder to a place in front of the instruction that is reached if something is under way, and
  /// returns that.
  Value* enter_if_under_way(Instruction& before) {
    builder_.SetInsertPoint(&before);
    auto* begun = builder_.CreateLoad(builder_.getPtrTy(), under_way_);
    auto* taken = SplitBlockAndInsertIfThen(builder_.CreateIsNotNull(begun), &before, false);
    builder_.SetInsertPoint(taken);
    return begun;
  }

  // A wait does that too.
  void start_behind_loops(const wait_plan& plan) {
    SmallSetVector<BasicBlock*, 4> exits;
    for (const auto& one : plan.begun) {
      SmallVector<BasicBlock*, 4> found;
      if (one.loop) one.loop->getUniqueExitBlocks(found);
      exits.insert(found.begin(), found.end());
    }
    for (auto* exit : exits) {
      if (any_of(plan.waits, [&](const Instruction* wait) { return wait->getParent() == exit; })) continue;
      auto* begun = enter_if_under_way(*exit->getFirstInsertionPt());
      call("windrow_comm_start", builder_.getVoidTy(), {begun});
    }
  }

  void wait_before(Instruction& one) {
    auto* begun = enter_if_under_way(one);
    call("windrow_comm_complete", builder_.getVoidTy(), {begun});
    builder_.CreateStore(nothing(), under_way_);
  }

  void look_before(const look& one) {
    for (const auto& used : one.at) {
      auto* begun = enter_if_under_way(*one.before);
      auto* bytes = used.bytes ? builder_.CreateZExtOrTrunc(used.bytes, builder_.getInt64Ty())
                               : builder_.getInt64(used.place.Size.getValue());
      builder_.CreateStore(call("windrow_comm_before_access", builder_.getPtrTy(),
                                {begun, used.at, bytes, builder_.getInt32(used.writes ? 1 : 0)}),
                           under_way_);
    }
  }

  // Where all memory can be loaded from, the call as it was.
  void begin(const bulk_access& one, bool later) {
    builder_.SetInsertPoint(one.call);
    auto* number = builder_.getInt32Ty();
    auto* far = builder_.CreateLoad(
        number, function_.getParent()->getOrInsertGlobal("windrow_comm_has_far_pes", number));
    auto* begun = builder_.CreateAnd(builder_.CreateICmpNE(far, builder_.getInt32(0)), can_be_counted(one));
    Instruction *begins = nullptr, *blocks = nullptr;
    SplitBlockAndInsertIfThenElse(begun, one.call, &begins, &blocks);
    builder_.SetInsertPoint(begins);
    builder_.SetCurrentDebugLocation(one.call->getDebugLoc());
    auto* before = builder_.CreateLoad(builder_.getPtrTy(), under_way_);
    auto* name = builder_.CreateGlobalStringPtr(callee_name(*one.call));
    builder_.CreateStore(
        one.local_stride ? begin_strided(one, before, name, later) : begin_dense(one, before, name, later),
        under_way_);
    one.call->moveBefore(blocks);
  }

  // Whether the bytes are no more than a number of them can say. Else the routine tells the mistake.
  Value* can_be_counted(const bulk_access& one) {
    if (one.local_stride || one.element_bytes == 1) return builder_.getTrue();
    auto* most = builder_.getInt64(std::numeric_limits<uint64_t>::max() / one.element_bytes);
    return builder_.CreateICmpULE(builder_.CreateZExtOrTrunc(one.count, builder_.getInt64Ty()), most);
  }

  Value* in_bytes(const bulk_access& one, Value* elements) {
    return builder_.CreateMul(builder_.CreateZExtOrTrunc(elements, builder_.getInt64Ty()),
                              builder_.getInt64(one.element_bytes));
  }

  Value* begin_dense(const bulk_access& one, Value* before, Value* name, bool later) {
    const auto* const get = later ? "windrow_comm_begin_get_later" : "windrow_comm_begin_get";
    Value *to = one.local, *from = one.remote;
    if (!one.reads) std::swap(to, from);
    return call(one.reads ? get : "windrow_comm_begin_put", builder_.getPtrTy(),
                {before, name, to, from, in_bytes(one, one.count), one.pe});
  }

  Value* begin_strided(const bulk_access& one, Value* before, Value* name, bool later) {
    return call("windrow_comm_begin_iget", builder_.getPtrTy(),
                {before, name, one.local, one.remote, in_bytes(one, one.local_stride),
                 in_bytes(one, one.remote_stride), builder_.getInt64(one.element_bytes), one.count, one.pe,
                 builder_.getInt32(later ? 1 : 0)});
  }

  Function& function_;
  IRBuilder<> builder_;
  AllocaInst* under_way_ = nullptr;
};

} // namespace

void split_phases(Function& function, const wait_plan& plan) {
  splitter(function).run(plan);
}

} // namespace windrow::compiler::comm
