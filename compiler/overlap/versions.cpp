// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/overlap/versions.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace windrow::compiler::overlap {

namespace {

// A volatile access may be one that waits.
bool needs_checks_always(const Instruction& one) {
  return (isa<CallBase>(one) && !isa<IntrinsicInst>(one)) || one.isVolatile() || one.isAtomic();
}

bool touches_memory(const Loop& loop) {
  return any_of(loop.blocks(), [](const BasicBlock* block) {
    return any_of(*block, [](const Instruction& one) { return one.mayReadOrWriteMemory(); });
  });
}

class loop_copier {
 public:
  loop_copier(Function& function, instruments& with)
      : function_(function), with_(with), dominators_(function), loops_(dominators_) {}

  SmallPtrSet<const BasicBlock*, 32> run() {
    const SmallVector<Loop*, 8> outermost(loops_.begin(), loops_.end());
    for (auto* loop : outermost) look_at(*loop);
    return std::move(copies_);
  }

 private:
  void look_at(Loop& loop) {
    const bool calls =
        any_of(loop.blocks(), [](const BasicBlock* block) { return any_of(*block, needs_checks_always); });
    if (!calls) return copy(loop);
    const SmallVector<Loop*, 8> inner(loop.begin(), loop.end());
    for (auto* one : inner) look_at(*one);
  }

  void copy(Loop& loop) {
    if (!touches_memory(loop) || !loop.isSafeToClone()) return;
    simplifyLoop(&loop, &dominators_, &loops_, nullptr, nullptr, nullptr, false);
    if (!loop.isLoopSimplifyForm()) return;
    formLCSSARecursively(loop, dominators_, &loops_, nullptr);
    auto* choice = loop.getLoopPreheader();
    auto* preheader = SplitBlock(choice, choice->getTerminator(), &dominators_, &loops_);
    ValueToValueMapTy made;
    SmallVector<BasicBlock*, 8> blocks;
    cloneLoopWithPreheader(preheader, choice, &loop, made, ".unchecked", &loops_, &dominators_, blocks);
    remapInstructionsInBlocks(blocks, made);
    choose(*choice, *preheader, *blocks.front());
    join_exits(loop, made);
    copies_.insert(blocks.begin(), blocks.end());
    dominators_.recalculate(function_);
  }

  void choose(BasicBlock& where, BasicBlock& checked, BasicBlock& unchecked) {
    auto* before = where.getTerminator();
    IRBuilder<> builder(before);
    builder.CreateCondBr(with_.is_anything_tracked(builder), &checked, &unchecked);
    before->eraseFromParent();
  }

  // What leaves the loop does so by nodes in its exits, which have no other predecessors.
  static void join_exits(const Loop& loop, const ValueToValueMapTy& made) {
    SmallVector<BasicBlock*, 4> exits;
    loop.getUniqueExitBlocks(exits);
    const auto copy_of = [&](Value* one) {
      const auto found = made.find(one);
      return found == made.end() ? one : static_cast<Value*>(found->second);
    };
    for (auto* exit : exits)
      for (auto& node : exit->phis())
        for (unsigned i = 0, all = node.getNumIncomingValues(); i < all; ++i)
          node.addIncoming(copy_of(node.getIncomingValue(i)),
                           cast<BasicBlock>(copy_of(node.getIncomingBlock(i))));
  }

  Function& function_;
  instruments& with_;
  DominatorTree dominators_;
  LoopInfo loops_;
  SmallPtrSet<const BasicBlock*, 32> copies_;
};

} // namespace

SmallPtrSet<const BasicBlock*, 32> make_versions_of_loops(Function& function, instruments& with) {
  if (function.hasOptNone()) return {};
  return loop_copier(function, with).run();
}

} // namespace windrow::compiler::overlap
