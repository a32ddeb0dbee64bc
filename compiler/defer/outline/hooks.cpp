// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/outline/hooks.hpp"

#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr const char* hooks = "__cyg_profile_func_";

// Of the function itself, not of what has been inlined.
bool calls_own_hook(const Instruction& instruction, const Function& function) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  if (!call || !callee_name(*call).starts_with(hooks) || call->arg_size() != 2) return false;
  const auto* caller = dyn_cast<IntrinsicInst>(call->getArgOperand(1));
  return call->getArgOperand(0)->stripPointerCasts() == &function && caller &&
         caller->getIntrinsicID() == Intrinsic::returnaddress;
}

} // namespace

void ask_for_hooks_later(Function& function) {
  for (auto& instruction : make_early_inc_range(instructions(function))) {
    if (!calls_own_hook(instruction, function)) continue;
    const auto name = callee_name(instruction);
    function.addFnAttr(
        name.ends_with("exit") ? "instrument-function-exit-inlined" : "instrument-function-entry-inlined",
        name);
    auto* caller = cast<Instruction>(instruction.getOperand(1));
    instruction.eraseFromParent();
    if (caller->use_empty()) caller->eraseFromParent();
  }
}

void drop_hooks(Function& version) {
  for (const char* hook : {"instrument-function-entry", "instrument-function-exit",
                           "instrument-function-entry-inlined", "instrument-function-exit-inlined"})
    if (version.getFnAttribute(hook).getValueAsString().starts_with(hooks)) version.removeFnAttr(hook);
}

} // namespace windrow::compiler::defer
