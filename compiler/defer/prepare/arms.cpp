// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/prepare/arms.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::defer {

namespace {

BranchInst* way_to(BasicBlock& block) {
  auto* before = block.getSinglePredecessor();
  auto* way = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  return way && way->isConditional() && way->getSuccessor(0) != way->getSuccessor(1) ? way : nullptr;
}

BasicBlock* other_way(const BranchInst& way, const BasicBlock& taken) {
  return way.getSuccessor(way.getSuccessor(0) == &taken ? 1 : 0);
}

// Of what stands in front of the fetch, that can stand behind it as well, with all that uses it.
bool may_be_sunk(const Instruction& one, const BasicBlock& behind) {
  if (!all_of(one.users(), [&](const User* user) {
        return cast<Instruction>(user)->getParent() == &behind && !isa<PHINode>(user);
      }))
    return false;
  if (isa<CastInst, BinaryOperator, CmpInst, GetElementPtrInst>(one)) return true;
  const auto* load = dyn_cast<LoadInst>(&one);
  if (!load || !load->isSimple() || !isa<AllocaInst>(load->getPointerOperand())) return false;
  for (const auto* next = one.getNextNode(); next; next = next->getNextNode())
    if (next->mayWriteToMemory()) return false;
  return true;
}

bool is_operand_of_fetch(const Use& use, const BasicBlock& middle) {
  const auto* user = cast<Instruction>(use.getUser());
  return isa<PHINode>(user) && user->getParent() == &middle;
}

// What is computed in front of the fetch and used behind it is computed there, or kept in variables.
void keep_values(BasicBlock& front, const BasicBlock& middle, BasicBlock* behind) {
  SmallVector<Instruction*, 8> used;
  for (auto& instruction : make_early_inc_range(reverse(front))) {
    if (isa<AllocaInst>(instruction) || !instruction.isUsedOutsideOfBlock(&front)) continue;
    if (behind && may_be_sunk(instruction, *behind))
      instruction.moveBefore(&*behind->getFirstInsertionPt());
    else if (any_of(instruction.uses(), [&](const Use& use) {
               return cast<Instruction>(use.getUser())->getParent() != &front &&
                      !is_operand_of_fetch(use, middle);
             }))
      used.push_back(&instruction);
  }
  for (auto* instruction : used) DemoteRegToStack(*instruction);
}

// before: if (c) front; middle: fetch; if (c) behind; otherwise
class arm_joiner {
 public:
  arm_joiner(CallInst& fetch, const BasicBlock* entry)
      : fetch_(fetch), arm_(arm_of(fetch, entry)), front_(fetch.getParent()) {}

  void run(const spare_arguments& spare) {
    behind_ = SplitBlock(front_, &fetch_);
    middle_ = BasicBlock::Create(front_->getContext(), "fetch", front_->getParent(), behind_);
    IRBuilder<> builder(middle_);
    builder.SetCurrentDebugLocation(fetch_.getDebugLoc());
    choose_arguments(spare, builder);
    auto* condition = choose_condition(builder);
    fetch_.removeFromParent();
    fetch_.insertInto(middle_, middle_->end());
    go_on(*condition, builder);
    keep_values(*front_, *middle_, behind_);
    for (const auto* way : arm_.ways) // what the conditions are computed of
      if (auto* block = const_cast<BasicBlock*>(way->getParent()); block != arm_.top())
        keep_if_used_behind(*block);
  }

 private:
  // `of_arm` if the fetch is wanted.
  PHINode* choose(Value& of_arm, Value& of_others, IRBuilder<>& builder) {
    auto* chosen = builder.CreatePHI(of_arm.getType(), 2);
    for (const auto* way : arm_.ways)
      chosen->addIncoming(&of_others, const_cast<BasicBlock*>(way->getParent()));
    chosen->addIncoming(&of_arm, front_);
    return chosen;
  }

  void choose_arguments(const spare_arguments& spare, IRBuilder<>& builder) {
    auto *source = fetch_.getArgOperand(1), *pe = fetch_.getArgOperand(2);
    if (spare.no_pe) pe = IRBuilder<>(front_->getTerminator()).CreateOr(pe, spare.no_pe);
    fetch_.setArgOperand(0, spare.context);
    fetch_.setArgOperand(1, choose(*source, *spare.source, builder));
    fetch_.setArgOperand(2, choose(*pe, *spare.pe, builder));
  }

  Value* choose_condition(IRBuilder<>& builder) {
    if (arm_.ways.size() > 1) return choose(*builder.getTrue(), *builder.getFalse(), builder);
    return arm_.ways.front()->getCondition();
  }

  void go_on(Value& condition, IRBuilder<>& builder) {
    const bool if_not = arm_.ways.size() == 1 && arm_.ways.front()->getSuccessor(1) == front_;
    builder.SetInsertPoint(middle_);
    builder.CreateCondBr(&condition, if_not ? arm_.otherwise : behind_, if_not ? behind_ : arm_.otherwise)
        ->setDebugLoc(arm_.ways.back()->getDebugLoc());
    for (auto* way : arm_.ways) way->replaceSuccessorWith(arm_.otherwise, middle_);
    if (arm_.ways.size() == 1) arm_.otherwise->replacePhiUsesWith(arm_.ways.front()->getParent(), middle_);
    front_->getTerminator()->replaceSuccessorWith(behind_, middle_);
  }

  void keep_if_used_behind(BasicBlock& block) {
    SmallVector<Instruction*, 4> used;
    for (auto& instruction : block)
      if (!isa<AllocaInst>(instruction) && any_of(instruction.users(), [&](const User* user) {
            const auto* at = cast<Instruction>(user)->getParent();
            return at != &block && at != front_ && at != middle_ &&
                   none_of(arm_.ways, [&](const BranchInst* way) { return way->getParent() == at; });
          }))
        used.push_back(&instruction);
    for (auto* instruction : used) DemoteRegToStack(*instruction);
  }

  CallInst& fetch_;
  const arm arm_;
  BasicBlock *front_, *middle_ = nullptr, *behind_ = nullptr;
};

} // namespace

arm arm_of(const CallInst& fetch, const BasicBlock* entry) {
  arm found;
  auto* block = const_cast<BasicBlock*>(fetch.getParent());
  while (block != entry) {
    auto* way = way_to(*block);
    if (!way) break;
    auto* otherwise = other_way(*way, *block);
    if (!found.ways.empty() && (otherwise != found.otherwise || isa<PHINode>(otherwise->front()))) break;
    found.otherwise = otherwise;
    found.ways.push_back(way);
    block = way->getParent();
    if (any_of(*block, is_fetch)) break;
  }
  return found;
}

void join_arm(CallInst& fetch, const BasicBlock* entry, const spare_arguments& spare) {
  arm_joiner(fetch, entry).run(spare);
}

} // namespace windrow::compiler::defer
