// SPDX-License-Identifier: BSD-3-Clause
#include <llvm/Analysis/ValueTracking.h>

#include "compiler/common/analysis/footprints.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/defer/outline/exceptions.hpp"
#include "compiler/defer/plan/context.hpp"
#include "compiler/defer/plan/hazards.hpp"
#include "compiler/defer/plan/plan.hpp"

namespace windrow::compiler::defer {

namespace {

bool is_volatile_or_atomic(const Instruction& instruction) {
  if (instruction.isAtomic()) return true;
  if (const auto* memory = dyn_cast<MemIntrinsic>(&instruction)) return memory->isVolatile();
  return instruction.isVolatile();
}

// Intrinsics that speak of the function they stand in; those that ask where it runs keep all of it as it is.
bool speaks_of_frame(const Instruction& instruction) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  if (!intrinsic) return false;
  switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::localescape:
    case Intrinsic::stacksave:
    case Intrinsic::stackrestore:
    case Intrinsic::vastart:
    case Intrinsic::vaend:
    case Intrinsic::vacopy:
      return true;
    default:
      return false;
  }
}

bool is_in_variable_length(const Value* value) {
  if (!value->getType()->isPointerTy()) return false;
  const auto* alloca = dyn_cast<AllocaInst>(getUnderlyingObject(value));
  return alloca && !alloca->isStaticAlloca();
}

class checker {
 public:
  checker(plan& scope, const code& body, const shape& structure)
      : scope_(scope), body_(body), structure_(structure) {}

  void run() {
    const bool ordered = !scope_.seeds.empty();
    if (!ordered && (no_fetch_stays() || nothing_follows())) return;
    check_end();
    if (!ordered) check_contexts();
    check_units();
  }

 private:
  bool no_fetch_stays() {
    if (!scope_.fetches.empty()) return false;
    const auto fetch = find_if(scope_.scope.units, [](const unit& part) { return part.fetch; });
    if (fetch == scope_.scope.units.end()) { // reported fetch by fetch
      scope_.refuse(nullptr, "the scope's fetches are behind a way out of it");
      return true;
    }
    scope_.fetches.push_back(cast<CallInst>(fetch->instruction));
    scope_.refuse(fetch->instruction, "its own arguments depend on a fetched value carried around the loop");
    return true;
  }

  bool nothing_follows() {
    if (!scope_.deferred.empty()) return false;
    const auto* fetch = scope_.fetches.front();
    check_end();
    scope_.refuse(fetch, fetch->use_empty() ? "the value is not used"
                                            : "no dependent code follows the fetch in its scope");
    return true;
  }

  bool is_late(const Value* value) const {
    const auto* instruction = dyn_cast<Instruction>(value);
    return instruction &&
           (scope_.deferred.contains(instruction) || is_contained(scope_.fetches, instruction));
  }

  void check_end() {
    if (none_of(scope_.scope.end->operand_values(), [&](const Value* value) { return is_late(value); }))
      return;
    scope_.refuse(scope_.scope.end, isa<InvokeInst>(scope_.scope.end) ? unwinds : leaves_scope);
  }

  void check_contexts() {
    const auto* context = scope_.fetches.front()->getArgOperand(0);
    for (const auto* fetch : scope_.fetches)
      if (!same_expression(context, fetch->getArgOperand(0)))
        return scope_.refuse(fetch, "it is on another context than an earlier fetch of its scope");
    if (!available_at_open(scope_, body_, structure_.dominators, context))
      scope_.refuse(scope_.fetches.front(),
                    "its context may change between the fetch and the code that uses it");
  }

  void check_units() {
    const auto* first = first_of_record(scope_);
    const auto* last = last_of_record(scope_);
    bool open = false;
    for (const auto& part : scope_.scope.units) {
      open |= &part == first;
      if (part.deferred)
        check_deferred(part);
      else
        check_staying(part, open);
      if (part.fetch && body_.switches->hold("arms")) check_users(part, *part.instruction);
      open &= &part != last;
    }
  }

  // Code that stays: nothing may wait, nor leave, between the opening of the record and its end.
  void check_staying(const unit& part, bool open) {
    part.for_each([&](const Instruction& instruction) {
      if (const auto* call = dyn_cast<CallBase>(&instruction)) check_staying_call(*call, open);
    });
  }

  void check_staying_call(const CallBase& call, bool open) {
    const auto name = callee_name(call);
    const auto& print = body_.known->of(call);
    if ((print.waits == certainty::yes && (open || !completes_deferred_code(name))) || (open && print.defers))
      return scope_.refuse(&call, "synchronisation call " + told_callee(call) + " in the scope of the fetch");
    if (!open) return;
    constexpr const char* between = " between the fetch and the code that uses it";
    if (print.waits == certainty::perhaps)
      return scope_.refuse(&call, "call with unknown effects (" + told_callee(call) + ")" + between);
    if (call.doesNotReturn() && !aborts(call))
      return scope_.refuse(&call, "call of " + told_callee(call) + between + " does not return");
    if (!body_.function->doesNotThrow() && print.throws)
      scope_.refuse(&call, "call of " + told_callee(call) + between + " may throw");
  }

  void check_deferred(const unit& part) {
    part.for_each([&](const Instruction& instruction) {
      check_instruction(instruction);
      check_ways(part, instruction);
      check_users(part, instruction);
      check_addresses(part, instruction);
    });
    for (const auto* list : {&part.touched.reads, &part.touched.writes})
      for (const auto* var : *list) check_escape(part, *var);
  }

  // An address that is stored, chosen from, or compared is that of the variable itself, not of a copy.
  void check_addresses(const unit& part, const Instruction& instruction) {
    if (is_commentary(instruction) || !body_.switches->hold("addresses")) return;
    for (const auto* operand : instruction.operand_values())
      if (const auto* var = body_.vars.of_address(operand)) {
        check_escape(part, *var);
        check_place(instruction, *operand, *var);
      }
  }

  // An address that was computed before is one in the variable, not in the copy that deferred code has.
  void check_place(const Instruction& user, const Value& address, const variable& var) {
    const auto* computed = dyn_cast<Instruction>(&address);
    if (computed && computed != var.base && !scope_.deferred.contains(computed))
      scope_.refuse(&user,
                    "dependent code uses an address in '" + var.name + "' that code before it computes");
  }

  void check_escape(const unit& part, const variable& var) {
    if (var.escapes)
      scope_.refuse(some_position(part),
                    "the address of '" + var.name + "' escapes, its deferred use cannot be tracked");
  }

  static const Instruction* some_position(const unit& part) {
    const Instruction* result = part.place();
    part.for_each([&](const Instruction& instruction) {
      if (!result->getDebugLoc() && instruction.getDebugLoc()) result = &instruction;
    });
    return result;
  }

  void check_instruction(const Instruction& instruction) {
    auto refuse = [&](const Twine& why) { scope_.refuse(&instruction, why); };
    if (isa<InvokeInst, LandingPadInst, ResumeInst, FuncletPadInst>(instruction)) return refuse(unwinds);
    if (isa<IndirectBrInst, CallBrInst>(instruction))
      return refuse("unsupported control flow in dependent code");
    if (isa<AllocaInst>(instruction) || any_of(instruction.operand_values(), is_in_variable_length))
      return refuse("variable-length array or alloca in dependent code");
    if (is_volatile_or_atomic(instruction)) return refuse("volatile or atomic access in dependent code");
    if (speaks_of_frame(instruction))
      return refuse("dependent code uses the frame or the variable arguments of its function");
    if (instruction.getType()->isTokenTy()) return refuse("unsupported instruction in dependent code");
    if (const auto* call = dyn_cast<CallBase>(&instruction)) check_call(*call);
  }

  void check_call(const CallBase& call) {
    const auto name = callee_name(call);
    auto refuse = [&](const Twine& why) { scope_.refuse(&call, why); };
    if (call.isInlineAsm()) return refuse("inline assembly in dependent code");
    if (call.hasFnAttr(Attribute::ReturnsTwice)) return refuse("setjmp-like call in dependent code");
    if (name == "longjmp" || name == "_longjmp" || name == "siglongjmp")
      return refuse("longjmp in dependent code");
    if (call.isMustTailCall()) return refuse("unsupported control flow in dependent code");
    const auto& print = body_.known->of(call);
    if (print.waits == certainty::yes)
      return refuse("synchronisation call " + told_callee(call) +
                    " depends on or is ordered after deferred code");
    if (print.leaves && body_.switches->hold("calls"))
      return refuse("call of " + told_callee(call) + " in dependent code may leave by " + print.unknown);
    if (!print.unknown.empty() && body_.switches->hold("calls"))
      return refuse("call with unknown effects (" + print.unknown + ") in dependent code");
    if (call.doesNotReturn() && !aborts(call) && !is_throw(call))
      return refuse("call of " + told_callee(call) + " in dependent code does not return");
  }

  void check_ways(const unit& part, const Instruction& instruction) {
    if (!instruction.isTerminator() || &instruction == part.place()) return;
    for (const auto* successor : successors(&instruction))
      if (successor != part.join && !part.blocks.contains(const_cast<BasicBlock*>(successor)))
        scope_.refuse(&instruction, "dependent code leaves the enclosing scope (break/continue/return/goto)");
    if (instruction.getParent()->hasAddressTaken())
      scope_.refuse(&instruction, "unsupported control flow in dependent code");
  }

  void check_users(const unit&, const Instruction& instruction) {
    for (const auto* user : instruction.users())
      if (const auto* outside = dyn_cast<Instruction>(user); outside && !scope_.deferred.contains(outside))
        scope_.refuse(outside, is_fetch(instruction)
                                   ? "the fetched value is used outside of the scope of the fetch"
                                   : "a deferred value is used by code that is not deferred");
  }

  static constexpr const char* unwinds =
      "dependent code has a try block, or an object with a destructor, and calls that may throw; a function "
      "of its own can have them";
  static constexpr const char* leaves_scope =
      "a fetched value decides whether the enclosing loop or block is left";

  plan& scope_;
  const code& body_;
  const shape& structure_;
};

} // namespace

void check_scope(plan& scope, const code& body, const shape& structure) {
  checker(scope, body, structure).run();
}

void decide_scope(plan& scope, code& body, const shape& structure, const memory_oracle& memory) {
  const auto units = scope.scope.units.size();
  if (body.affords_comparing(units)) {
    find_deferred(scope, body, memory);
    return check_scope(scope, body, structure);
  }
  for (const auto& part : scope.scope.units)
    if (part.fetch) scope.fetches.push_back(cast<CallInst>(part.instruction));
  scope.refuse(nullptr,
               "the function is too large, with " + Twine(units) +
                   " instructions, conditions and loops around this fetch; divide it into several functions");
}

} // namespace windrow::compiler::defer
