// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/pass/drains.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/pass/calls.hpp"
#include "compiler/pass/inlining.hpp"

namespace windrow::defer {

namespace {

class exits {
 public:
  exits(code& body, BasicBlock* entry, const region_left& left) : body_(body), left_(left) {
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
        if (const auto why = reason(*block->getTerminator()); !why.empty()) add(block, nullptr, why);
      for (auto* successor : successors(block))
        if (!region_.contains(successor))
          if (const auto why = reason_behind(successor); !why.empty()) add(block, successor, why);
    }
  }

 private:
  std::string reason_behind(BasicBlock* from) const {
    SmallPtrSet<BasicBlock*, 16> seen;
    SmallVector<BasicBlock*, 8> open{from};
    while (!open.empty()) {
      auto* block = open.pop_back_val();
      if (!seen.insert(block).second) continue;
      bool complete = false;
      for (auto& instruction : *block) {
        if ((complete = completes_deferred_code(callee_name(instruction)))) break;
        if (auto why = reason(instruction); !why.empty()) return why;
      }
      if (!complete) append_range(open, successors(block));
    }
    return "";
  }

  // Why the instruction must not run before deferred code.
  std::string reason(Instruction& instruction) const {
    if (isa<ReturnInst, ResumeInst>(instruction)) return reason_to_keep_frame();
    if (const auto* call = dyn_cast<CallBase>(&instruction))
      if (is_synchronisation(callee_name(*call)))
        return ("'" + callee_name(*call) + "' is called" + line(instruction) + " before any quiet").str();
    if (may_unwind(instruction)) {
      const auto kept = reason_to_keep_frame();
      return kept.empty()
                 ? ""
                 : "'" + callee_name(instruction).str() + "' may throw" + line(instruction) + ", and " + kept;
    }
    return reason_of_use(instruction);
  }

  bool may_unwind(const Instruction& instruction) const {
    const auto* call = dyn_cast<CallBase>(&instruction);
    return call && !body_.function->doesNotThrow() && may_throw(*call, *body_.library);
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
    auto* stored = store ? body_.vars.at(store->getValueOperand()) : nullptr;
    if (stored && region_.contains(instruction.getParent())) return "";
    const auto touched = body_.effects_of(instruction);
    for (const auto& [var, written] : left_.references)
      if (var == stored || touched.writes.contains(var) || (written && touched.reads.contains(var)))
        return "'" + var->name + "' is used" + line(instruction) + " before any quiet";
    return "";
  }

  static std::string line(Instruction& instruction) {
    const auto& location = instruction.getDebugLoc();
    return location ? " at line " + std::to_string(location.getLine()) : "";
  }

  code& body_;
  const region_left& left_;
  SetVector<BasicBlock*> region_;
};

void insert_drain(BasicBlock* block, BasicBlock* successor, const DebugLoc& directive) {
  auto* place = successor ? &*SplitEdge(block, successor)->getFirstInsertionPt() : block->getTerminator();
  IRBuilder<> builder(place);
  builder.SetCurrentDebugLocation(directive);
  builder.CreateCall(runtime_function(*block->getModule(), "windrow_defer_drain", builder.getVoidTy(), {}),
                     {});
}

} // namespace

void add_drains(code& body, BasicBlock* entry, const region_left& left, const DebugLoc& directive,
                diagnostics& told) {
  struct place {
    BasicBlock *block, *successor;
    std::string why;
  };
  std::vector<place> places;
  exits(body, entry, left).for_each([&](BasicBlock* block, BasicBlock* successor, const std::string& why) {
    if (none_of(places,
                [&](const place& known) { return known.block == block && known.successor == successor; }))
      places.push_back({block, successor, why});
  });
  for (const auto& [block, successor, why] : places) {
    insert_drain(block, successor, directive);
    told.analysis(directive, "inserted a drain at the end of the region: " + why);
  }
}

} // namespace windrow::defer
