// SPDX-License-Identifier: BSD-3-Clause
// A forward data-flow analysis over the deferred units: which variables are surely assigned as a whole.
#include "compiler/defer/plan/plan.hpp"

#include <llvm/ADT/BitVector.h>

namespace windrow::compiler::defer {

namespace {

class exposure {
 public:
  exposure(const plan& scope, const variables& vars) : vars_(vars) {
    for (auto* var : scope.reads) number_.try_emplace(var, number_.size());
    for (auto* var : scope.writes) number_.try_emplace(var, number_.size());
    BitVector assigned(number_.size());
    for (const auto& part : scope.scope.units)
      if (part.deferred) assigned = through(part, assigned);
  }

  SmallPtrSet<variable*, 8> found;

 private:
  using entries = DenseMap<const BasicBlock*, BitVector>; // what is assigned where a block begins

  BitVector through(const unit& part, BitVector assigned) {
    if (part.compound()) return through_compound(part, assigned);
    step(*part.instruction, assigned, true);
    return assigned;
  }

  BitVector through_compound(const unit& part, const BitVector& assigned) {
    const BitVector everything(static_cast<unsigned>(number_.size()), true);
    entries at_begin;
    for (auto* block : part.blocks) at_begin[block] = everything;
    at_begin[part.join] = everything;
    for (bool changed = true; changed;) changed = flow(part, assigned, at_begin);
    for (auto* block : part.blocks) through_block(*block, at_begin[block], true);
    return at_begin[part.join];
  }

  bool flow(const unit& part, const BitVector& assigned, entries& at_begin) {
    bool changed = false;
    auto meet = [&](const BasicBlock* block, const BitVector& incoming) {
      const auto found_at = at_begin.find(block);
      if (found_at == at_begin.end()) return;
      auto met = found_at->second;
      met &= incoming;
      changed |= met != found_at->second;
      found_at->second = std::move(met);
    };
    if (part.header)
      meet(part.header, assigned);
    else
      for (auto* entry : successors(part.at)) meet(entry, assigned);
    for (auto* block : part.blocks) {
      const auto leaving = through_block(*block, at_begin[block], false);
      for (auto* successor : successors(block)) meet(successor, leaving);
    }
    return changed;
  }

  BitVector through_block(BasicBlock& block, BitVector assigned, bool tell) {
    for (auto& instruction : block) step(instruction, assigned, tell);
    return assigned;
  }

  void step(Instruction& instruction, BitVector& assigned, bool tell) {
    effects touched;
    add_effects(instruction, vars_, touched);
    if (tell)
      for (auto* var : touched.reads)
        if (const auto at = number_.find(var); at != number_.end() && !assigned[at->second])
          found.insert(var);
    const auto* store = dyn_cast<StoreInst>(&instruction);
    const auto* var = store ? vars_.at(store->getPointerOperand()) : nullptr;
    if (var && store->getValueOperand()->getType() == var->type)
      if (const auto at = number_.find(const_cast<variable*>(var)); at != number_.end())
        assigned.set(at->second);
  }

  const variables& vars_;
  DenseMap<variable*, unsigned> number_;
};

} // namespace

SmallPtrSet<variable*, 8> upward_exposed(const plan& scope, const variables& vars) {
  return exposure(scope, vars).found;
}

} // namespace windrow::compiler::defer
