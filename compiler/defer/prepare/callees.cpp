// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/prepare/callees.hpp"

#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <vector>

#include "compiler/common/analysis/visible_code.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/common/api/marker.hpp"
#include "compiler/defer/prepare/forward.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr unsigned most_in_callee = 200;   // instructions
constexpr unsigned most_together = 20'000; // instructions, into one function
constexpr unsigned deepest_callee = 16;    // callees of callees
constexpr int none_around = -1;

// Counts no debug instructions, so that -g makes no difference.
unsigned size_of(const Function& function) {
  return static_cast<unsigned>(count_if(
      instructions(function), [](const Instruction& instruction) { return !is_commentary(instruction); }));
}

// What cannot stand in another function, or is better told of by its name.
bool must_stay(const Instruction& instruction) {
  const auto name = callee_name(instruction);
  if (isa<InvokeInst, LandingPadInst>(instruction) || asks_where_it_runs(instruction)) return true;
  if (const auto* call = dyn_cast<CallInst>(&instruction); call && call->cannotDuplicate()) return true;
  if (is_marker(instruction) || is_runtime_call(name)) return true; // it has directives, or had them
  const auto* alloca = dyn_cast<AllocaInst>(&instruction);
  if (alloca && !alloca->isStaticAlloca()) return true;
  return is_synchronisation(name);
}

// Features of the processor, sanitizers and the like hold for a function, hence for what it calls, too.
bool has_fitting_attributes(const Function& callee, Function& caller) {
  for (const char* target : {"target-cpu", "target-features"})
    if (callee.getFnAttribute(target) != caller.getFnAttribute(target)) return false;
  if (!AttributeFuncs::areInlineCompatible(caller, callee)) return false;
  const auto before = caller.getAttributes();
  AttributeFuncs::mergeAttributesForInlining(caller, callee);
  if (before.hasFnAttr(Attribute::MustProgress)) caller.addFnAttr(Attribute::MustProgress);
  const bool same = caller.getAttributes() == before;
  caller.setAttributes(before);
  return same;
}

class callee_inliner {
 public:
  explicit callee_inliner(Function& function) : function_(function) {
    const DominatorTree dominators(function);
    for (const auto& mark : find_markers(function)) {
      if (!mark.branch) continue;
      for (auto& block : function)
        if (dominators.isReachableFromEntry(&block) && dominators.dominates(mark.entry(), &block))
          for (auto& instruction : block)
            if (auto* call = dyn_cast<CallBase>(&instruction); call && found_.insert(call).second)
              open_.push_back({call, none_around});
    }
  }

  bool run() {
    unsigned inlined = 0;
    for (size_t at = 0; at < open_.size(); ++at) {
      auto* callee = open_[at].call->getCalledFunction();
      if (!callee || !may_be_inlined(*open_[at].call, *callee, open_[at].within)) continue;
      const auto size = size_of(*callee);
      if (inlined + size > most_together) continue;
      if (put_in_place(open_[at], *callee)) inlined += size;
    }
    return inlined > 0;
  }

 private:
  struct call_site {
    CallBase* call;
    int within; ///< which of callees_ it stands in
  };
  struct callee_around {
    const Function* callee;
    int within;
    unsigned depth;
  };

  bool may_be_inlined(const CallBase& call, Function& callee, int within) const {
    const auto* direct = dyn_cast<CallInst>(&call);
    if (!is_visible(&callee) || callee.isVarArg() || callee.doesNotReturn() ||
        callee.hasFnAttribute(Attribute::Naked) || callee.isPresplitCoroutine() ||
        (direct && direct->isMustTailCall()) || size_of(callee) > most_in_callee ||
        !has_fitting_attributes(callee, function_))
      return false;
    if (&callee == &function_ || (within != none_around && depth_of(within) >= deepest_callee)) return false;
    for (int at = within; at != none_around; at = around_[static_cast<size_t>(at)].within)
      if (around_[static_cast<size_t>(at)].callee == &callee) return false;
    return none_of(instructions(callee), must_stay) && isInlineViable(callee).isSuccess();
  }

  unsigned depth_of(int within) const { return around_[static_cast<size_t>(within)].depth; }

  bool put_in_place(const call_site site, const Function& callee) {
    InlineFunctionInfo added;
    if (!InlineFunction(*site.call, added, false, nullptr, false).isSuccess()) return false;
    if (!callee.mustProgress())
      function_.removeFnAttr(Attribute::MustProgress); // it may have a loop without end
    const auto depth = site.within == none_around ? 1 : depth_of(site.within) + 1;
    around_.push_back({&callee, site.within, depth});
    for (auto* call : added.InlinedCallSites) open_.push_back({call, static_cast<int>(around_.size()) - 1});
    for (auto* local : added.StaticAllocas)
      local->setMetadata(of_callee, MDNode::get(local->getContext(), {}));
    return true;
  }

  Function& function_;
  SmallPtrSet<const CallBase*, 16> found_;
  std::vector<call_site> open_;
  std::vector<callee_around> around_;
};

// What `restrict` says holds in one call. Code that is taken out of its round would have it hold in all of
// them.
void forget_restrict(Function& function) {
  for (auto& instruction : make_early_inc_range(instructions(function))) {
    if (isa<NoAliasScopeDeclInst>(instruction)) {
      instruction.eraseFromParent();
      continue;
    }
    instruction.setMetadata(LLVMContext::MD_noalias, nullptr);
    instruction.setMetadata(LLVMContext::MD_alias_scope, nullptr);
  }
}

} // namespace

bool inline_callees(Function& function) {
  if (!callee_inliner(function).run()) return false;
  forget_restrict(function);
  return true;
}

} // namespace windrow::compiler::defer
