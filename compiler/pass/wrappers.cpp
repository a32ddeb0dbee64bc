// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/pass/wrappers.hpp"

#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/pass/calls.hpp"
#include "compiler/pass/gets.hpp"
#include "compiler/pass/marker.hpp"

namespace windrow::defer {

namespace {

constexpr unsigned deepest_wrapper = 4; // wrappers of wrappers
constexpr unsigned most_inlined = 64;   // in one function
constexpr unsigned most_in_body = 200;  // instructions

// Looks for a fetch in a function and in what it calls; what comes back to a function on the way is none.
class wrapper_search {
 public:
  bool is_wrapper(const Function& callee) {
    if (callee.isDeclaration() || callee.isInterposable() || callee.isVarArg() ||
        callee.getInstructionCount() > most_in_body || way_.size() == deepest_wrapper)
      return false;
    if (!way_.insert(&callee).second) return false;
    const bool found = may_be_inlined(callee) && fetches(callee);
    way_.erase(&callee);
    return found;
  }

 private:
  bool may_be_inlined(const Function& callee) const {
    return isInlineViable(const_cast<Function&>(callee)).isSuccess() &&
           none_of(instructions(callee), [&](const Instruction& instruction) {
             const auto* call = dyn_cast<CallBase>(&instruction);
             return is_marker(instruction) || isa<InvokeInst, LandingPadInst>(instruction) ||
                    (call && call->getCalledFunction() && way_.contains(call->getCalledFunction()));
           });
  }

  bool fetches(const Function& callee) {
    return any_of(instructions(callee), [&](const Instruction& instruction) {
      if (is_fetch(instruction) || is_get_of_one(instruction)) return true;
      const auto* call = dyn_cast<CallBase>(&instruction);
      return call && call->getCalledFunction() && is_wrapper(*call->getCalledFunction());
    });
  }

  SmallPtrSet<const Function*, 4> way_;
};

CallInst* next_wrapper(Function& function) {
  const DominatorTree dominators(function);
  for (const auto& mark : find_markers(function)) {
    if (!mark.branch) continue;
    for (auto& block : function) {
      if (!dominators.isReachableFromEntry(&block) || !dominators.dominates(mark.entry(), &block)) continue;
      for (auto& instruction : block) {
        auto* call = dyn_cast<CallInst>(&instruction);
        auto* callee = call ? call->getCalledFunction() : nullptr;
        if (callee && callee != &function && !call->isMustTailCall() && wrapper_search().is_wrapper(*callee))
          return call;
      }
    }
  }
  return nullptr;
}

// The copy of a parameter in memory: written once, in front of all else.
StoreInst* only_store_to(AllocaInst& copy) {
  StoreInst* only = nullptr;
  for (auto* user : copy.users()) {
    if (auto* store = dyn_cast<StoreInst>(user); store && store->getPointerOperand() == &copy) {
      if (only || store->getValueOperand() == &copy || store->isVolatile()) return nullptr;
      only = store;
    } else if (const auto* load = dyn_cast<LoadInst>(user)) {
      if (load->isVolatile() || load->getType() != copy.getAllocatedType()) return nullptr;
    } else if (!is_commentary(*cast<Instruction>(user)))
      return nullptr;
  }
  return only && only->getValueOperand()->getType() == copy.getAllocatedType() ? only : nullptr;
}

// With the parameter itself in its place, an argument is the same expression as if it stood there.
void use_directly(AllocaInst& copy) {
  auto* store = only_store_to(copy);
  if (!store) return;
  const DominatorTree dominators(*copy.getFunction());
  for (auto* user : copy.users())
    if (isa<LoadInst>(user) && !dominators.dominates(store, cast<Instruction>(user))) return;
  for (auto* user : make_early_inc_range(copy.users())) {
    auto* instruction = cast<Instruction>(user);
    if (auto* load = dyn_cast<LoadInst>(instruction)) load->replaceAllUsesWith(store->getValueOperand());
    if (isa<LoadInst>(instruction)) instruction->eraseFromParent();
  }
}

} // namespace

bool inline_wrappers(Function& function) {
  unsigned inlined = 0;
  while (auto* call = inlined < most_inlined ? next_wrapper(function) : nullptr) {
    InlineFunctionInfo added;
    if (!InlineFunction(*call, added, false, nullptr, false).isSuccess()) break;
    for (auto* copy : added.StaticAllocas) use_directly(*copy);
    ++inlined;
  }
  return inlined > 0;
}

} // namespace windrow::defer
