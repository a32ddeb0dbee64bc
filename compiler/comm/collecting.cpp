// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/collecting.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/comm/accesses.hpp"
#include "compiler/common/runtime/inline_library.hpp"

namespace windrow::compiler::comm {

namespace {

class collecting_loop {
 public:
  collecting_loop(const write_region& region, known_facts& facts)
      : region_(region),
        loop_(*region.loop),
        facts_(facts),
        function_(*loop_.getHeader()->getParent()),
        builder_(function_.getContext()) {}

  void run() {
    formLCSSARecursively(loop_, facts_.dominators, &facts_.loops, &facts_.evolution);
    split_exits();
    keep_copy();
    choose_version();
    for (auto* exit : exits_) end_behind(*exit);
    for (const auto& write : region_.writes) collect(write, *collector_);
  }

 private:
  // Each way out of the loop gets a block of its own.
  void split_exits() {
    SmallVector<BasicBlock*, 4> behind;
    loop_.getUniqueExitBlocks(behind);
    for (auto* block : behind) {
      const SmallVector<BasicBlock*, 4> from(predecessors(block));
      exits_.push_back(SplitBlockPredecessors(block, from, ".collected", &facts_.dominators, &facts_.loops,
                                              nullptr, /*PreserveLCSSA=*/true));
    }
  }

  void keep_copy() {
    choice_ = loop_.getLoopPreheader();
    before_ = SplitBlock(choice_, choice_->getTerminator(), &facts_.dominators, &facts_.loops, nullptr,
                         loop_.getHeader()->getName() + ".collecting");
    SmallVector<BasicBlock*, 8> copied;
    ValueToValueMapTy map;
    auto* copy = cloneLoopWithPreheader(before_, choice_, &loop_, map, ".as.written", &facts_.loops,
                                        &facts_.dominators, copied);
    remapInstructionsInBlocks(copied, map);
    as_written_ = copy->getLoopPreheader();
    for (auto* block : copied)
      for (auto& instruction : *block)
        if (plain_access_of(instruction) || late_verb_of(instruction)) settle(cast<CallInst>(instruction));
    for (auto* exit : exits_) leave_past(*exit, map);
  }

  // The copy leaves to behind what the loop's own exits do.
  void leave_past(BasicBlock& exit, ValueToValueMapTy& map) {
    auto* behind = exit.getSingleSuccessor();
    const SmallVector<BasicBlock*, 4> leaving(predecessors(&exit));
    for (auto* block : SmallPtrSet<BasicBlock*, 4>(leaving.begin(), leaving.end())) {
      if (!loop_.contains(block)) continue;
      auto* end = cast<BasicBlock>(map[block])->getTerminator();
      for (unsigned i = 0; i < end->getNumSuccessors(); ++i) {
        if (end->getSuccessor(i) != &exit) continue;
        end->setSuccessor(i, behind);
        for (auto& phi : behind->phis())
          phi.addIncoming(value_of_copy(phi, exit, *block, map), end->getParent());
      }
    }
  }

  static Value* value_of_copy(PHINode& phi, BasicBlock& exit, BasicBlock& leaving, ValueToValueMapTy& map) {
    auto* value = phi.getIncomingValueForBlock(&exit);
    if (auto* merged = dyn_cast<PHINode>(value); merged && merged->getParent() == &exit)
      value = merged->getIncomingValueForBlock(&leaving);
    const auto found = map.find(value);
    return found == map.end() ? value : static_cast<Value*>(found->second);
  }

  FunctionCallee runtime(StringRef name, Type* result, ArrayRef<Type*> parameters) {
    auto made = runtime_function(*function_.getParent(), name, result, parameters);
    cast<Function>(made.getCallee())->setDoesNotThrow();
    return made;
  }

  void choose_version() {
    auto* number = builder_.getInt32Ty();
    auto* begin =
        BasicBlock::Create(function_.getContext(), before_->getName() + ".begin", &function_, before_);
    auto* end = choice_->getTerminator();
    builder_.SetInsertPoint(end);
    builder_.SetCurrentDebugLocation(region_.writes.front().call->getDebugLoc());
    auto* far = builder_.CreateLoad(
        number, function_.getParent()->getOrInsertGlobal("windrow_comm_has_far_pes", number));
    builder_.CreateCondBr(builder_.CreateICmpNE(far, builder_.getInt32(0)), begin, as_written_);
    end->eraseFromParent();
    builder_.SetInsertPoint(begin);
    collector_ =
        builder_.CreateCall(runtime("windrow_comm_begin_writes", builder_.getPtrTy(), {}), {}, "late");
    builder_.CreateCondBr(builder_.CreateIsNull(collector_), as_written_, before_);
  }

  void end_behind(BasicBlock& exit) {
    builder_.SetInsertPoint(&exit, exit.getFirstInsertionPt());
    builder_.CreateCall(runtime("windrow_comm_end_writes", builder_.getVoidTy(), {builder_.getPtrTy()}),
                        {collector_});
  }

  const write_region& region_;
  Loop& loop_;
  known_facts& facts_;
  Function& function_;
  IRBuilder<> builder_;
  SmallVector<BasicBlock*, 4> exits_;
  BasicBlock *choice_ = nullptr, *before_ = nullptr, *as_written_ = nullptr;
  Value* collector_ = nullptr;
};

} // namespace

void collect_writes(const write_region& region, known_facts& facts) {
  collecting_loop(region, facts).run();
}

} // namespace windrow::compiler::comm
