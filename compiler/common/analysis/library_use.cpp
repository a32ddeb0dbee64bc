// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/analysis/library_use.hpp"

#include <llvm/IR/Module.h>

#include "compiler/common/analysis/visible_code.hpp"
#include "compiler/common/api/c_library.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/common/api/cxx_library.hpp"

namespace windrow::compiler {

namespace {

// Names that are the compiler's own, or of namespace std.
bool is_of_cxx_library(StringRef name) {
  constexpr StringRef own[] = {"__", "_ZSt", "_ZNSt", "_ZNKSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"};
  return any_of(own, [&](StringRef begin) { return name.starts_with(begin); });
}

// It may call back what it is given.
bool takes_functions(const CallBase& call) {
  return any_of(call.args(), [](const Use& one) { return isa<Function>(one->stripPointerCasts()); });
}

bool is_of_known_library(const CallBase& call, const Function& callee) {
  if (takes_functions(call)) return false;
  return is_of_c_library(call) || effect_of_cxx_function(callee.getName()) != cxx_effect::unknown ||
         (call.onlyReadsMemory() && is_of_cxx_library(callee.getName()));
}

std::optional<bool> keeps_off(const Instruction& instruction) {
  if (instruction.isVolatile() || instruction.isAtomic()) return false;
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || isa<IntrinsicInst>(call)) return true;
  const auto name = callee_name(*call);
  if (is_query(name) || is_instrumentation(*call) || aborts(*call)) return true;
  if (routine_of(name) || order_of(name) != order::none) return false;
  const auto* callee = call->getCalledFunction();
  if (is_visible(callee)) return std::nullopt;
  if (call->doesNotAccessMemory() || call->onlyAccessesInaccessibleMemOrArgMem()) return true;
  return callee && is_of_known_library(*call, *callee);
}

std::optional<bool> abstains(const Instruction& instruction, function_ref<bool(const CallBase&)> allowed) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || allowed(*call)) return true;
  const auto* callee = call->getCalledFunction();
  if (!callee || call->isInlineAsm()) return false;
  if (callee->isIntrinsic() || is_instrumentation(*call) || is_query(callee->getName()) ||
      (callee->isDeclaration() && call->onlyReadsMemory() && keeps_off_pes(*call)))
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

bool keeps_off_pes(const CallBase& call) {
  return holds_for(call, keeps_off);
}

Loop* widest_loop(const Instruction& place, const LoopInfo& loops, function_ref<bool(const Loop&)> fits) {
  Loop* widest = nullptr;
  for (auto* loop = loops.getLoopFor(place.getParent()); loop && fits(*loop); loop = loop->getParentLoop())
    widest = loop;
  return widest;
}

} // namespace windrow::compiler
