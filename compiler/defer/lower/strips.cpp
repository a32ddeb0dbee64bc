// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/lower/strips.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/common/analysis/library_use.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/defer/lower/block_opener.hpp"

namespace windrow::compiler::defer {

namespace {

bool ends_by_branches(const Loop& loop) {
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  return all_of(exiting, [](const BasicBlock* block) { return isa<BranchInst>(block->getTerminator()); });
}

// What provably has one value all the time that a loop runs.
class constancy {
 public:
  explicit constancy(const Loop& loop) : loop_(loop) {}

  bool of(const Value& value) const {
    const auto* instruction = dyn_cast<Instruction>(&value);
    if (!instruction || !loop_.contains(instruction)) return true;
    if (const auto* load = dyn_cast<LoadInst>(instruction))
      return load->isSimple() && is_unchanged(*load->getPointerOperand());
    if (isa<PHINode>(instruction) || instruction->mayReadOrWriteMemory()) return false;
    return all_of(instruction->operands(), [&](const Use& operand) { return of(*operand); });
  }

 private:
  // A variable of which only the loads and stores to see can know.
  bool is_unchanged(const Value& address) const {
    return isa<AllocaInst>(address) && all_of(address.users(), [&](const User* user) {
             const auto& instruction = *cast<Instruction>(user);
             if (isa<LoadInst>(instruction)) return true;
             const auto* store = dyn_cast<StoreInst>(&instruction);
             return (store && store->getValueOperand() != &address && !loop_.contains(store)) ||
                    (is_commentary(instruction) && !loop_.contains(&instruction));
           });
  }

  const Loop& loop_;
};

unsigned what_differs(const CallInst& open, const Loop& loop) {
  const constancy stays(loop);
  unsigned result = 0;
  if (!stays.of(*open.getArgOperand(0))) result |= context_differs;
  if (!stays.of(*open.getArgOperand(block_parent))) result |= parent_differs;
  for (unsigned i = 0; i < most_common; ++i)
    if (!stays.of(*open.getArgOperand(block_common + i))) result |= common_differs << i;
  return result;
}

AllocaInst& make_strip(Function& function) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  auto* strip =
      builder.CreateAlloca(ArrayType::get(builder.getInt64Ty(), words_of_strip), nullptr, "defer.strip");
  begin_without_strip(builder, *strip);
  return *strip;
}

void end_behind(const Loop& loop, Value& strip, const code& callback) {
  const auto& open = *callback.open;
  SmallVector<Loop::Edge, 4> exits;
  loop.getExitEdges(exits);
  const auto loads = count_if(callback.layout.slots, [](const slot& one) { return one.may_load_later; });
  for (const auto& [from, to] : exits) {
    IRBuilder<> builder(
        &*SplitEdge(const_cast<BasicBlock*>(from), const_cast<BasicBlock*>(to))->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(open.getDebugLoc());
    end_strip(builder, strip, open, static_cast<uint32_t>(callback.layout.slots.size()),
              static_cast<uint32_t>(loads));
  }
}

} // namespace

void open_in_strips(code& callback) {
  if (!callback.lowered.in_batches || callback.layout.bulk || callback.layout.slots.empty()) return;
  auto& open = *callback.open;
  auto& function = *open.getFunction();
  DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  const auto is_part = [&](const CallBase& call) {
    return &call == &open || is_finish_block(call.getCalledFunction());
  };
  const auto* widest = widest_loop(
      open, loops, [&](const Loop& loop) { return !uses_library(loop, is_part) && ends_by_branches(loop); });
  if (!widest) return;
  const auto differs = what_differs(open, *widest);
  auto& strip = make_strip(function);
  end_behind(*widest, strip, callback);
  open.setArgOperand(block_strip, &strip);
  open.setArgOperand(block_differs, ConstantInt::get(Type::getInt32Ty(function.getContext()), differs));
}

} // namespace windrow::compiler::defer
