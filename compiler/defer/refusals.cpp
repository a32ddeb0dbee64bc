// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/refusals.hpp"

#include "compiler/common/api/calls.hpp"
#include "compiler/common/report/diagnostics.hpp"

namespace windrow::compiler::defer {

namespace {

// Which version of the function runs is chosen before.
bool may_allow_threads(const CallBase& call) {
  constexpr int64_t several_threads = 3; // SHMEM_THREAD_MULTIPLE
  const auto name = callee_name(call);
  if (name != "shmem_init_thread" && name != "pshmem_init_thread") return false;
  const auto* level = call.arg_empty() ? nullptr : dyn_cast<ConstantInt>(call.getArgOperand(0));
  return !level || level->getSExtValue() >= several_threads;
}

std::string told_name(const CallBase& call) {
  const auto name = callee_name(call);
  return name.empty() ? "a function" : name.ltrim('_').str();
}

// What the call does that no function with several versions can have, or none whose code runs late.
std::string call_refusal(const CallBase& call) {
  if (call.hasFnAttr(Attribute::ReturnsTwice))
    return "the function calls " + told_name(call) + ", which returns twice";
  if (may_allow_threads(call))
    return "the function itself calls shmem_init_thread, perhaps for several threads";
  if (asks_where_it_runs(call)) return "the function asks for its return address or its frame";
  if (!call.cannotDuplicate()) return "";
  return call.isInlineAsm() ? "inline assembly in the function defines a symbol, which each version of the "
                              "function would do (labels may be numbers, or have %= in them)"
                            : "the function calls " + told_name(call) + ", which must not be copied";
}

} // namespace

bool has_computed_gotos(const Function& function) {
  return any_of(function, [](const BasicBlock& block) { return block.hasAddressTaken(); });
}

// What a routine of the library does is known by its name.
std::string file_refusal(const Module& module) {
  const auto own = find_if(module, [](const Function& function) {
    return !function.isDeclaration() && routine_of(function.getName());
  });
  return own == module.end() ? "" : "the file has a function '" + own->getName().str() + "' of its own";
}

std::string whole_refusal(const Function& function, const SetVector<BasicBlock*>& region) {
  if (function.isPresplitCoroutine()) return "the function is a coroutine";
  for (const auto& instruction : instructions(function)) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (const auto why = call ? call_refusal(*call) : ""; !why.empty()) return why + at_line(*call);
    const auto* alloca = dyn_cast<AllocaInst>(&instruction);
    if (alloca && !alloca->isStaticAlloca() && region.contains(const_cast<BasicBlock*>(alloca->getParent())))
      return "variable-length array or alloca in the region" + at_line(*alloca);
  }
  return has_computed_gotos(function) ? "the function has computed gotos" : "";
}

} // namespace windrow::compiler::defer
