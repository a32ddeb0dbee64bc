// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/counting.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>

namespace windrow::compiler::comm {

namespace {

// Whether the loop cannot go on for ever while `value` compares so: it steps towards the end of its type's
// range, and does not step over it.
bool runs_out(Value& value, ICmpInst::Predicate stays, const Loop& loop, ScalarEvolution& evolution) {
  if (!value.getType()->isIntegerTy() || !ICmpInst::isRelational(stays)) return false;
  const auto* counter = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&value));
  if (!counter || counter->getLoop() != &loop || !counter->isAffine()) return false;
  const auto* constant = dyn_cast<SCEVConstant>(counter->getStepRecurrence(evolution));
  if (!constant) return false;
  const auto& step = constant->getAPInt();
  const bool up = ICmpInst::isLT(stays) || ICmpInst::isLE(stays);
  if (up ? !step.isStrictlyPositive() : !step.isNegative()) return false;
  if (ICmpInst::isStrictPredicate(stays) && step.abs().isOne()) return true;
  // Unsigned, a step down is a sum that wraps.
  return ICmpInst::isSigned(stays) ? counter->hasNoSignedWrap() : up && counter->hasNoUnsignedWrap();
}

// What decides how the block ends, if that is a comparison.
const ICmpInst* compared_at_end(const BasicBlock& block) {
  const auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  return branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
}

// In each round, with a bound that may be loaded anew.
bool runs_out_at(const BasicBlock& block, const Loop& loop, known_facts& facts) {
  const auto* latch = loop.getLoopLatch();
  const auto* compare = compared_at_end(block);
  if (!compare || !latch || !facts.dominators.dominates(&block, latch)) return false;
  const auto stays = loop.contains(block.getTerminator()->getSuccessor(0)) ? compare->getPredicate()
                                                                           : compare->getInversePredicate();
  return runs_out(*compare->getOperand(0), stays, loop, facts.evolution) ||
         runs_out(*compare->getOperand(1), ICmpInst::getSwappedPredicate(stays), loop, facts.evolution);
}

} // namespace

bool counts(const Loop& loop, known_facts& facts) {
  if (!isa<SCEVCouldNotCompute>(facts.evolution.getSymbolicMaxBackedgeTakenCount(&loop))) return true;
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  return any_of(exiting, [&](const BasicBlock* block) { return runs_out_at(*block, loop, facts); });
}

bool compares_counter(const BasicBlock& block, const Loop& loop, ScalarEvolution& evolution) {
  const auto* compare = compared_at_end(block);
  return compare && any_of(compare->operands(), [&](Value* value) {
           if (!evolution.isSCEVable(value->getType())) return false;
           const auto* counter = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(value));
           return counter && counter->getLoop() == &loop;
         });
}

bool steps_to_bound(const Loop& loop, known_facts& facts) {
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  return any_of(exiting, [&](const BasicBlock* block) {
    return facts.dominators.dominates(block, loop.getLoopLatch()) &&
           compares_counter(*block, loop, facts.evolution);
  });
}

} // namespace windrow::compiler::comm
