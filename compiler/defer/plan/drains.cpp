// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/drains.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/common/analysis/footprints.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/defer/plan/hazards.hpp"

namespace windrow::compiler::defer {

namespace {

// Out of the function, or to a handler in it.
bool throws_out(const code& body, const Instruction& instruction) {
  return isa<CallBase>(instruction) && !body.function->doesNotThrow() && body.known->of(instruction).throws;
}

std::string may_throw(const Instruction& call) {
  return told_callee(call) + " may throw" + at_line(call);
}

using find_reason = function_ref<std::string(Instruction&)>;

class exits {
 public:
  exits(code& body, BasicBlock* entry, find_reason reason) : reason_(reason) {
    const DominatorTree dominators(*body.function);
    for (auto& block : *body.function)
      if (dominators.isReachableFromEntry(&block) && dominators.dominates(entry, &block))
        region_.insert(&block);
  }

  // Calls add(block, successor or null): the edge, or the end of the block where the function returns, needs
  // a drain.
  template <class Add>
  void for_each(Add add) {
    for (auto* block : region_) {
      if (isa<ReturnInst, ResumeInst>(block->getTerminator()))
        if (const auto why = reason_(*block->getTerminator()); !why.empty()) add(block, nullptr, why);
      for (auto* successor : successors(block))
        if (!region_.contains(successor))
          if (const auto why = reason_behind(successor); !why.empty()) add(block, successor, why);
    }
  }

 private:
  std::string reason_behind(BasicBlock* from) const {
    SmallPtrSet<BasicBlock*, 16> seen;
    SmallVector<BasicBlock*, 8> open{from}, ends;
    while (!open.empty()) {
      auto* block = open.pop_back_val();
      if (!seen.insert(block).second) continue;
      bool complete = succ_empty(block);
      for (auto& instruction : *block) {
        if (completes_deferred_code(callee_name(instruction))) {
          complete = true;
          break;
        }
        if (auto why = reason_(instruction); !why.empty()) return why;
      }
      if (complete)
        ends.push_back(block);
      else
        append_range(open, successors(block));
    }
    return all_lead_to(ends, seen) ? "" : "a loop that does not end follows";
  }

  // Another PE may wait for what deferred code writes.
  static bool all_lead_to(SmallVector<BasicBlock*, 8> open, const SmallPtrSetImpl<BasicBlock*>& all) {
    SmallPtrSet<BasicBlock*, 16> found;
    while (!open.empty()) {
      auto* block = open.pop_back_val();
      if (all.contains(block) && found.insert(block).second) append_range(open, predecessors(block));
    }
    return found.size() == all.size();
  }

  find_reason reason_;
  SetVector<BasicBlock*> region_;
};

// Of variables that records use.
class uses_of_frame {
 public:
  uses_of_frame(code& body, BasicBlock* entry, const region_left& left) : body_(body), left_(left) {
    const DominatorTree dominators(*body.function);
    for (auto& block : *body.function)
      if (dominators.isReachableFromEntry(&block) && dominators.dominates(entry, &block))
        region_.insert(&block);
  }

  // Why the instruction must not run before deferred code.
  std::string reason(Instruction& instruction) const {
    if (isa<ReturnInst, ResumeInst>(instruction)) return reason_to_keep_frame();
    if (const auto* call = dyn_cast<CallBase>(&instruction))
      if (is_synchronisation(callee_name(*call)))
        return told_callee(*call) + " is called" + at_line(instruction) + " before any quiet";
    if (throws_out(body_, instruction)) {
      const auto kept = reason_to_keep_frame();
      return kept.empty() ? "" : may_throw(instruction) + ", and " + kept;
    }
    return reason_of_use(instruction);
  }

  std::string reason_to_keep_frame() const {
    if (!left_.references.empty())
      return "'" + left_.references.front().var->name + "' goes out of scope before any quiet";
    return left_.uses_frame ? "memory of the function goes out of scope before any quiet" : "";
  }

  std::string reason_of_use(Instruction& instruction) const {
    // The address of a variable goes to the records of this region: they run in order. Those of another
    // region may be of another level.
    const auto* store = dyn_cast<StoreInst>(&instruction);
    auto* stored = store ? body_.vars.of_address(store->getValueOperand()) : nullptr;
    if (stored && region_.contains(instruction.getParent())) return "";
    const auto touched = body_.effects_of(instruction);
    for (const auto& [var, written] : left_.references)
      if (var == stored || touched.writes.contains(var) || (written && touched.reads.contains(var)))
        return "'" + var->name + "' is used" + at_line(instruction) + " before any quiet";
    return "";
  }

  code& body_;
  const region_left& left_;
  SetVector<BasicBlock*> region_;
};

// In front of the return, or of the call that is one.
Instruction* end_of(BasicBlock& block) {
  auto* call = block.getTerminatingMustTailCall();
  return call ? call : block.getTerminator();
}

CallInst* insert_drain(const completion& one, const DebugLoc& directive, const char* name) {
  const bool at_begin = !one.block || (one.successor && one.successor->isEHPad());
  auto* place = at_begin        ? &*one.successor->getFirstInsertionPt()
                : one.successor ? &*SplitEdge(one.block, one.successor)->getFirstInsertionPt()
                                : end_of(*one.block);
  IRBuilder<> builder(place);
  builder.SetCurrentDebugLocation(directive);
  return builder.CreateCall(runtime_function(*place->getModule(), name, builder.getVoidTy(), {}), {});
}

void add(std::vector<completion>& to, BasicBlock* block, BasicBlock* successor, const std::string& why) {
  if (none_of(to,
              [&](const completion& known) { return known.block == block && known.successor == successor; }))
    to.push_back({block, successor, why});
}

} // namespace

std::vector<completion> completions_behind(code& body, BasicBlock* entry, bool waits, const hazards& seen) {
  std::vector<completion> found;
  const auto reason = [&](Instruction& instruction) -> std::string {
    if (isa<ReturnInst, ResumeInst>(instruction))
      return waits ? "the function returns" + at_line(instruction) + " before any quiet" : "";
    if (auto why = seen.behind(instruction); !why.empty()) return why;
    return waits && isa<CallInst>(instruction) && throws_out(body, instruction)
               ? may_throw(instruction) + " before any quiet"
               : "";
  };
  exits(body, entry, reason).for_each([&](BasicBlock* block, BasicBlock* successor, const std::string& why) {
    add(found, block, successor, why);
  });
  return found;
}

void add_drains(code& body, BasicBlock* entry, const region_left& left, const DebugLoc& directive,
                diagnostics& told) {
  const uses_of_frame uses(body, entry, left);
  const auto reason = [&](Instruction& instruction) { return uses.reason(instruction); };
  std::vector<completion> places;
  exits(body, entry, reason).for_each([&](BasicBlock* block, BasicBlock* successor, const std::string& why) {
    add(places, block, successor, why);
  });
  for (const auto& one : left.completions) add(places, one.block, one.successor, one.why);
  const auto* name = left.throws ? "windrow_defer_drain_and_throw" : "windrow_defer_drain";
  SmallVector<CallInst*, 4> drains;
  for (const auto& one : places) {
    drains.push_back(insert_drain(one, directive, name));
    told.analysis(directive, "inserted a drain at the end of the region: " + one.why);
  }
  if (left.throws && left.handler)
    for (auto* drain : drains) changeToInvokeAndSplitBasicBlock(drain, left.handler);
}

} // namespace windrow::compiler::defer
