// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/inspector.hpp"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace windrow::compiler::comm {

BasicBlock& inspector::copy() {
  for (auto* block : loop_.blocks()) {
    auto* made = CloneBasicBlock(block, map_, ".ahead", &function_);
    made->moveBefore(loop_.getHeader());
    map_[block] = made;
    blocks_.push_back(made);
  }
  remapInstructionsInBlocks(blocks_, map_);
  end_ = copy_of(*loop_.getLoopLatch()).getTerminator();
  drop_what_is_idle();
  go_past_idle_choices();
  delete_unreachable();
  return copy_of(*loop_.getHeader());
}

void inspector::drop_what_is_idle() {
  for (auto* block : loop_.blocks())
    for (auto& instruction : *block) {
      if (instruction.isTerminator() || is_read(instruction)) continue;
      auto& copy = *cast<Instruction>(map_[&instruction]);
      if (plan_.needed.contains(&instruction))
        keep_what_always_holds(copy);
      else
        drop(copy);
    }
}

void inspector::drop(Instruction& copy) {
  if (!copy.use_empty()) copy.replaceAllUsesWith(PoisonValue::get(copy.getType()));
  copy.eraseFromParent();
}

// Not what was promised for one round alone.
void inspector::keep_what_always_holds(Instruction& copy) {
  AAMDNodes tags;
  tags.TBAA = copy.getAAMetadata().TBAA;
  copy.setAAMetadata(tags);
}

void inspector::go_past_idle_choices() {
  for (const auto& [block, meeting] : plan_.idle_choices) {
    auto* end = copy_of(*block).getTerminator();
    builder_.SetInsertPoint(end);
    builder_.SetCurrentDebugLocation(end->getDebugLoc());
    builder_.CreateBr(&copy_of(*meeting));
    end->eraseFromParent();
  }
}

void inspector::delete_unreachable() {
  df_iterator_default_set<BasicBlock*, 16> reached;
  for ([[maybe_unused]] auto* block : depth_first_ext(&copy_of(*loop_.getHeader()), reached)) continue;
  SmallVector<BasicBlock*, 8> dead;
  copy_if(blocks_, std::back_inserter(dead), [&](BasicBlock* block) { return !reached.contains(block); });
  DeleteDeadBlocks(dead);
}

BasicBlock& inspector::open_latch() {
  auto* latch = end_->getParent();
  end_->eraseFromParent();
  return *latch;
}

} // namespace windrow::compiler::comm
