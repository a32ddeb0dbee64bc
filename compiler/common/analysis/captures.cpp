// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/analysis/captures.hpp"

#include <llvm/Analysis/ValueTracking.h>

#include <algorithm>

#include "compiler/common/analysis/visible_code.hpp"
#include "compiler/common/api/c_library.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/common/api/marker.hpp"

namespace windrow::compiler {

namespace {

constexpr unsigned most_followed = 1000; // values, in one function

// A number that sanitizers compare.
bool is_only_checked(const Instruction& number, unsigned steps) {
  if (!isa<PtrToIntInst>(number) && (steps == 0 || !isa<BinaryOperator, CastInst>(number))) return false;
  return steps < 8 && all_of(
                          number.users(),
                          [&](const User* user) {
                            const auto* next = dyn_cast<Instruction>(user);
                            return next && (isa<ICmpInst>(next) || is_instrumentation(*next) ||
                                            is_only_checked(*next, steps + 1));
                          });
}

bool is_part_of(const Value& value) {
  return isa<GetElementPtrInst, BitCastInst>(value);
}

} // namespace

bool captures::escapes(const Value& base, function_ref<bool(const Instruction&)> counts) {
  SmallVector<const Value*, 8> addresses{&base};
  while (!addresses.empty())
    for (const auto& use : addresses.pop_back_val()->uses()) {
      const auto* user = dyn_cast<Instruction>(use.getUser());
      if (user && is_part_of(*user))
        addresses.push_back(user);
      else if (keeps(use) && (!user || counts(*user)))
        return true;
    }
  return false;
}

bool captures::keeps(const Use& use) {
  const auto* user = dyn_cast<Instruction>(use.getUser());
  if (!user) return true;
  if (is_only_checked(*user, 0)) return false;
  if (isa<LoadInst, ICmpInst>(user)) return false;
  if (const auto* store = dyn_cast<StoreInst>(user)) return store->getValueOperand() == use.get();
  const auto* call = dyn_cast<CallBase>(user);
  return !call || of_argument(*call, use) != fate::forgotten;
}

fate captures::of_argument(const CallBase& call, const Use& use) {
  if (is_context_creation(callee_name(call)) || is_instrumentation(call)) return fate::forgotten;
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call))
    return is_commentary(*intrinsic) || isa<MemIntrinsic>(intrinsic) ||
                   (intrinsic->doesNotAccessMemory() && intrinsic->getType()->isIntegerTy())
               ? fate::forgotten
               : fate::kept;
  if (forgets_its_arguments(call)) return fate::forgotten;
  const auto* callee = call.getCalledFunction();
  if (!is_visible(callee) || !call.isArgOperand(&use) || call.getArgOperandNo(&use) >= callee->arg_size())
    return fate::kept;
  return of_parameter(*callee->getArg(call.getArgOperandNo(&use)));
}

fate captures::of_parameter(const Argument& parameter) {
  const auto& function = *parameter.getParent(); // the frame of a coroutine outlives the call
  const auto look = [&] {
    const bool keeps = function.isPresplitCoroutine() || any_of(instructions(function), is_marker);
    const auto found = keeps ? fate::kept : follow(parameter);
    const auto before = known_.lookup(&parameter);
    known_[&parameter] = std::max(found, before);
    return found > before;
  };
  questions_.answer(parameter, look);
  return known_.lookup(&parameter);
}

fate captures::follow(const Value& address) {
  auto found = fate::forgotten;
  SetVector<const Value*> holders; // the address, what is part of it, and variables that it is kept in
  holders.insert(&address);
  SmallPtrSet<const Value*, 8> variables;
  const auto keep_in = [&](const Value& to) {
    const auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(&to));
    if (variable && variable->isStaticAlloca() && holders.insert(variable)) variables.insert(variable);
    return variable && variable->isStaticAlloca();
  };
  for (size_t at = 0; at < holders.size(); ++at) {
    if (at == most_followed) return fate::kept;
    const bool in_variable = variables.contains(holders[at]);
    for (const auto& use : holders[at]->uses()) {
      const auto* user = dyn_cast<Instruction>(use.getUser());
      if (!user) return fate::kept;
      if (is_part_of(*user)) {
        holders.insert(user);
        if (in_variable) variables.insert(user);
      } else if (isa<PHINode, SelectInst>(user)) {
        if (in_variable) return fate::kept;
        holders.insert(user);
      } else if (isa<ReturnInst>(user)) {
        if (in_variable) return fate::kept;
        found = fate::returned;
      } else if (const auto* load = dyn_cast<LoadInst>(user)) {
        if (in_variable) holders.insert(load);
      } else if (const auto* store = dyn_cast<StoreInst>(user)) {
        if (store->getValueOperand() == use.get() && (in_variable || !keep_in(*store->getPointerOperand())))
          return fate::kept;
      } else if (const auto* call = dyn_cast<CallBase>(user)) {
        const auto* copy = dyn_cast<MemTransferInst>(call);
        if (in_variable && copy && use.getOperandNo() == 1) {
          if (!keep_in(*copy->getRawDest())) return fate::kept;
          continue;
        }
        const auto there = in_variable && !is_commentary(*call) && !isa<MemIntrinsic>(call)
                               ? fate::kept
                               : of_argument(*call, use);
        if (there == fate::kept) return fate::kept;
        if (there == fate::returned) holders.insert(call);
      } else if (!isa<ICmpInst>(user) && !is_only_checked(*user, 0))
        return fate::kept;
    }
  }
  return found;
}

} // namespace windrow::compiler
