// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/obstacles.hpp"

#include <llvm/IR/InlineAsm.h>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/late_writes.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/comm/stores.hpp"
#include "compiler/common/analysis/library_use.hpp"
#include "compiler/common/analysis/visible_code.hpp"
#include "compiler/common/api/c_library.hpp"
#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::comm {

namespace {

bool may_end_elsewhere(const CallBase& call) {
  return isa<InvokeInst>(call) || !call.doesNotThrow() || !call.hasFnAttr(Attribute::WillReturn);
}

// LLVM says nothing of functions of which another file may have another copy: instances of templates. A
// function of C++ that neither waits nor throws, nor does anything to be seen from outside, has to return.
std::optional<bool> goes_on(const Instruction& instruction) {
  if (instruction.isVolatile() || instruction.isAtomic()) return false;
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call) return !isa<UnreachableInst>(instruction) && !instruction.mayThrow();
  if (isa<InvokeInst>(call) || call->isInlineAsm() || call->isConvergent()) return false;
  if (is_commentary(instruction) || !may_end_elsewhere(*call)) return true;
  const auto* callee = call->getCalledFunction();
  if (!callee || callee->isDeclaration() || !callee->mustProgress()) return false;
  return std::nullopt;
}

std::string name_of(const CallBase& call) {
  if (call.isInlineAsm()) return "inline assembly";
  const auto name = callee_name(call);
  return name.empty() ? "a function by its address" : name.str();
}

// Loads of a file that does not name it are of other memory.
bool is_errno_named(const Module& module) {
  const auto* place = module.getFunction("__errno_location");
  return place && !place->use_empty();
}

bool may_set_errno_only(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration() || !call->onlyWritesMemory() || may_end_elsewhere(*call))
    return false;
  const auto is_number = [](const Use& one) { return !one->getType()->isPointerTy(); };
  return all_of(call->args(), is_number) && is_of_c_library(*call) &&
         !(is_errno_named(*callee->getParent()) && active_options().hold("errno"));
}

// What is collected is no other than a write. Updates end what a promise about reads is about.
std::string obstacle_of_collected(StringRef routine) {
  const auto& operation = routine_of(routine)->form->operation;
  return operation == "p" || operation == "put" ? "" : "the loop calls " + routine.str();
}

} // namespace

std::string way_out_of(const Loop& loop) {
  SmallVector<Loop::Edge, 4> ways;
  loop.getExitEdges(ways);
  for (const auto& [from, to] : ways) {
    if (from == loop.getLoopLatch()) continue;
    const auto* ends =
        isa<UnreachableInst>(to->getTerminator()) ? to->getTerminator()->getPrevNode() : nullptr;
    const auto* call = dyn_cast_or_null<CallBase>(ends);
    return call ? " by " + name_of(*call) + line_of(*call) : line_of(*from->getTerminator());
  }
  return "";
}

bool is_hint(const Instruction& instruction) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return is_commentary(instruction) || isa<AssumeInst>(instruction) ||
         (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::prefetch && active_options().hold("hints"));
}

bool changes_nothing(const Instruction& instruction) {
  return is_hint(instruction) || may_set_errno_only(instruction);
}

bool only_computes(const CallBase& call) {
  if (call.isInlineAsm() || call.isConvergent() || isa<InvokeInst>(call)) return false;
  if (may_end_elsewhere(call)) return keeps_off_pes(call) && holds_for(call, goes_on);
  const bool is_local =
      call.onlyReadsMemory() || call.onlyAccessesArgMemory() || call.onlyAccessesInaccessibleMemory();
  return is_local && (keeps_off_pes(call) || !active_options().hold("pure"));
}

bool only_reads_here(const CallBase& call) {
  return call.onlyReadsMemory() && (keeps_off_pes(call) || !active_options().hold("pure"));
}

bool may_synchronise(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  return call && !isa<IntrinsicInst>(call) && !only_reads_here(*call);
}

std::string obstacle_of(Instruction& instruction) {
  const auto& rules = active_options();
  if (instruction.isVolatile() || instruction.isAtomic())
    return rules.hold("volatile") ? "the loop has a volatile or atomic access, which keeps its place" : "";
  auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || plain_access_of(instruction) || is_query(callee_name(*call)) || changes_nothing(instruction))
    return "";
  if (const auto collected = name_of_collected(instruction); !collected.empty())
    return obstacle_of_collected(collected);
  if (routine_of(callee_name(*call)) || order_of(callee_name(*call)) != order::none)
    return rules.hold("calls") ? "the loop calls " + name_of(*call) : "";
  if (only_computes(*call)) return "";
  return "the loop calls " + name_of(*call) + ", which may synchronise";
}

} // namespace windrow::compiler::comm
