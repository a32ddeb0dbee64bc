// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/api/marker.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace windrow::compiler {

namespace {

// Empty if the value is something else.
std::optional<StringRef> text_at(const Value& value) {
  const auto* global = dyn_cast<GlobalVariable>(value.stripPointerCasts());
  const auto* text =
      global && global->hasInitializer() ? dyn_cast<ConstantDataArray>(global->getInitializer()) : nullptr;
  if (!text || !text->isCString()) return std::nullopt;
  return text->getAsCString();
}

// In a constexpr function: with coverage clang does not fold the choice between 1, for the compiler's own
// evaluation, and the annotation.
Instruction& chosen_value(IntrinsicInst& annotation) {
  auto* choice = annotation.hasOneUse() ? dyn_cast<PHINode>(annotation.user_back()) : nullptr;
  if (!choice) return annotation;
  const bool is_directive = all_of(choice->incoming_values(), [&](const Value* value) {
    return value == &annotation || match(value, PatternMatch::m_One());
  });
  return is_directive ? static_cast<Instruction&>(*choice) : annotation;
}

// A statement may begin with [[likely]].
void drop_expectation(ICmpInst& compare) {
  auto* expect = dyn_cast<IntrinsicInst>(compare.user_back());
  if (!expect || expect->getIntrinsicID() != Intrinsic::expect || !expect->hasOneUse()) return;
  expect->replaceAllUsesWith(&compare);
  expect->eraseFromParent();
}

bool is_never_come_to(const Instruction& instruction) {
  const auto* assumption = dyn_cast<AssumeInst>(&instruction);
  return assumption && match(assumption->getArgOperand(0), PatternMatch::m_Zero());
}

} // namespace

std::optional<StringRef> annotation_text(const Instruction& instruction, StringRef prefix) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  if (!intrinsic || intrinsic->getIntrinsicID() != Intrinsic::annotation) return std::nullopt;
  const auto text = text_at(*intrinsic->getArgOperand(1));
  if (!text || !text->starts_with(prefix)) return std::nullopt;
  return text->drop_front(prefix.size());
}

SmallVector<Function*, 4> annotated_functions(Module& module, StringRef text) {
  SmallVector<Function*, 4> found;
  const auto* list = module.getGlobalVariable("llvm.global.annotations");
  if (!list || !list->hasInitializer()) return found;
  for (const auto& entry : list->getInitializer()->operands()) {
    const auto* fields = dyn_cast<ConstantStruct>(entry);
    if (!fields || text_at(*fields->getOperand(1)) != text) continue;
    if (auto* function = dyn_cast<Function>(fields->getOperand(0)->stripPointerCasts()))
      found.push_back(function);
  }
  return found;
}

// The annotation is compared with zero, and the branch on that chooses the statement where they differ.
BranchInst* branch_of(IntrinsicInst& annotation) {
  auto& value = chosen_value(annotation);
  auto* compare = value.hasOneUse() ? dyn_cast<ICmpInst>(value.user_back()) : nullptr;
  if (!compare || !compare->isEquality() || !compare->hasOneUse()) return nullptr;
  drop_expectation(*compare);
  auto* branch = dyn_cast<BranchInst>(compare->user_back());
  if (!branch) return nullptr;
  if (compare->getPredicate() == ICmpInst::ICMP_EQ) {
    compare->setPredicate(ICmpInst::ICMP_NE);
    branch->swapSuccessors();
  }
  return branch->getSuccessor(0)->hasNPredecessors(1) ? branch : nullptr;
}

void open_ways_around(Function& function) {
  for (const auto& mark : find_markers(function)) {
    if (!mark.branch) continue;
    for (auto& instruction : make_early_inc_range(*mark.branch->getSuccessor(1)))
      if (is_never_come_to(instruction)) instruction.eraseFromParent();
  }
}

bool is_marker(const Instruction& instruction) {
  return annotation_text(instruction, marker_text).has_value();
}

std::vector<marker> find_markers(Function& function) {
  std::vector<marker> found;
  for (auto& instruction : instructions(function)) {
    const auto clauses = annotation_text(instruction, marker_text);
    if (!clauses) continue;
    auto* annotation = cast<IntrinsicInst>(&instruction);
    const auto* line = dyn_cast<ConstantInt>(annotation->getArgOperand(3));
    found.push_back({annotation, branch_of(*annotation), clauses->contains("strict"),
                     !clauses->contains("no_fusion"), !clauses->contains("nowait"),
                     line ? static_cast<unsigned>(line->getZExtValue()) : 0});
  }
  return found;
}

void erase(const marker& mark) {
  mark.annotation->replaceAllUsesWith(ConstantInt::get(mark.annotation->getType(), 1));
  mark.annotation->eraseFromParent();
}

void fold_nested(Function& function, std::vector<marker>& marks) {
  const DominatorTree dominators(function);
  auto nested = [&](const marker& inner) {
    return any_of(marks, [&](const marker& outer) {
      return outer.branch && outer.annotation != inner.annotation &&
             dominators.dominates(outer.entry(), inner.annotation->getParent());
    });
  };
  SmallVector<marker, 4> inner_ones;
  copy_if(marks, std::back_inserter(inner_ones), nested);
  for (const auto& inner : inner_ones) {
    erase_if(marks, [&](const marker& mark) { return mark.annotation == inner.annotation; });
    auto* block = inner.annotation->getParent();
    erase(inner);
    if (!inner.branch) continue;
    auto* condition = cast<Instruction>(inner.branch->getCondition());
    condition->replaceAllUsesWith(ConstantInt::getTrue(function.getContext()));
    condition->eraseFromParent();
    auto* other = inner.branch->getSuccessor(1);
    ConstantFoldTerminator(block);
    if (pred_empty(other)) DeleteDeadBlock(other);
  }
}

} // namespace windrow::compiler
