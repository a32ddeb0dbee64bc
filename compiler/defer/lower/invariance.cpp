// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/lower/invariance.hpp"

namespace windrow::compiler::defer {

invariance::invariance(const Instruction& place, bool in_batches, bool in_pieces)
    : function_(*place.getFunction()),
      in_batches_(in_batches),
      dominators_(const_cast<Function&>(function_)),
      loops_(dominators_) {
  auto* loop = loops_.getLoopFor(place.getParent());
  if (loop && in_pieces) loop = loop->getParentLoop();
  for (; loop; loop = loop->getParentLoop()) outermost_ = loop;
}

bool invariance::is_invariant(const Value& value) const {
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (!instruction) return outermost_ || !isa<Argument>(value);
  if (outermost_ && !outermost_->contains(instruction)) return true;
  if (const auto* load = dyn_cast<LoadInst>(instruction)) {
    const auto& address = *load->getPointerOperand();
    return outermost_ ? is_invariant(address) && !is_changed(address) : is_common(address);
  }
  return isa<GetElementPtrInst, CastInst>(instruction) &&
         all_of(instruction->operands(), [&](const Use& operand) { return is_invariant(*operand); });
}

// The callback of a batch takes the payload, and what all payloads have in common.
bool invariance::is_common(const Value& address) const {
  return address.stripInBoundsOffsets() == function_.getArg(1);
}

bool invariance::is_changed(const Value& address) const {
  const auto* base = address.stripInBoundsOffsets();
  return any_of(outermost_->blocks(), [&](const BasicBlock* block) {
    return any_of(*block, [&](const Instruction& instruction) {
      if (const auto* store = dyn_cast<StoreInst>(&instruction))
        return store->getPointerOperand()->stripInBoundsOffsets() == base;
      const auto* call = dyn_cast<CallBase>(&instruction);
      return call && any_of(call->args(),
                            [&](const Use& argument) { return argument->stripInBoundsOffsets() == base; });
    });
  });
}

} // namespace windrow::compiler::defer
