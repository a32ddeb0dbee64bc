// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/analysis/library_use.hpp"

#include "compiler/common/analysis/visible_code.hpp"
#include "compiler/common/api/calls.hpp"

namespace windrow::compiler {

namespace {

std::optional<bool> abstains(const Instruction& instruction, function_ref<bool(const CallBase&)> allowed) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || allowed(*call)) return true;
  const auto* callee = call->getCalledFunction();
  if (!callee || call->isInlineAsm()) return false;
  if (callee->isIntrinsic() || is_instrumentation(*call) || is_query(callee->getName()) ||
      (callee->isDeclaration() && call->onlyReadsMemory()))
    return true;
  return std::nullopt;
}

} // namespace

bool uses_library(const Loop& loop, function_ref<bool(const CallBase&)> allowed) {
  const auto judge = [&](const Instruction& instruction) { return abstains(instruction, allowed); };
  return any_of(loop.blocks(), [&](const BasicBlock* block) {
    return any_of(*block, [&](const Instruction& instruction) { return !holds_for(instruction, judge); });
  });
}

Loop* widest_loop(const Instruction& place, const LoopInfo& loops, function_ref<bool(const Loop&)> fits) {
  Loop* widest = nullptr;
  for (auto* loop = loops.getLoopFor(place.getParent()); loop && fits(*loop); loop = loop->getParentLoop())
    widest = loop;
  return widest;
}

} // namespace windrow::compiler
