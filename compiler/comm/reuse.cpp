// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/reuse.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include "compiler/comm/obstacles.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/comm/polling.hpp"
#include "compiler/comm/stores.hpp"
#include "compiler/common/analysis/library_use.hpp"
#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::comm {

namespace {

std::optional<plain_access> value_read_by(Instruction& instruction) {
  const auto access = plain_access_of(instruction);
  const bool counts = access && access->reads && !access->local && !is_settled(*access->call);
  return counts ? access : std::nullopt;
}

bool is_same_read(const plain_access& one, const plain_access& other) {
  return one.remote == other.remote && one.pe == other.pe && one.call->getType() == other.call->getType() &&
         one.bytes == other.bytes;
}

/// What can happen between two reads of one place.
class interval {
 public:
  interval(const plain_access& again, const plain_access& before, known_facts& facts)
      : again_(again), before_(before), facts_(facts) {}

  /// What may change the place on a way from the one to the other; null if nothing does. The first read
  /// dominates the second, and no cycle holds the second alone.
  Instruction* change() {
    if (auto* found = change_in(*again_.call->getParent(), again_.call)) return found;
    while (!pending_.empty()) {
      auto* block = pending_.pop_back_val();
      if (auto* found = change_in(*block, nullptr)) return found;
    }
    return nullptr;
  }

 private:
  // From `end`, or the block's, back to the first read or the block's begin.
  Instruction* change_in(BasicBlock& block, Instruction* end) {
    for (auto* one = end ? end->getPrevNode() : &block.back(); one; one = one->getPrevNode()) {
      if (one == before_.call) return nullptr;
      if (may_change(*one)) return one;
    }
    for (auto* block_before : predecessors(&block))
      if (seen_.insert(block_before).second) pending_.push_back(block_before);
    return nullptr;
  }

  bool may_change(Instruction& instruction) {
    if (instruction.isVolatile() || instruction.isAtomic()) return true;
    if (const auto access = plain_access_of(instruction)) return changes_by_access(*access);
    if (is_query(callee_name(instruction)) || changes_nothing(instruction)) return false;
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (call && (routine_of(callee_name(*call)) || order_of(callee_name(*call)) != order::none))
      return active_options().hold("synchronisation");
    if (may_synchronise(instruction)) return true;
    return stores_to_place(instruction);
  }

  // The place may be one of this PE.
  bool stores_to_place(Instruction& instruction) {
    if (!instruction.mayWriteToMemory() || !active_options().hold("own-stores")) return false;
    return isModSet(facts_.aliases.getModRefInfo(&instruction, again_.there()));
  }

  bool changes_by_access(const plain_access& access) {
    if (access.reads) return (access.local && stores_local(access)) || polls(access);
    return active_options().hold("own-puts") && !keeps_off(access);
  }

  // In a loop between the two: then something has been waited for.
  bool polls(const plain_access& read) {
    const auto* loop = facts_.loops.getLoopFor(read.call->getParent());
    if (!active_options().hold("polls-between") || loop == facts_.loops.getLoopFor(again_.call->getParent()))
      return false;
    return may_poll(read, loop, facts_) || is_in_loop_that_watches(*read.call);
  }

  bool is_in_loop_that_watches(const Instruction& read) {
    const auto* loop =
        widest_loop(read, facts_.loops, [&](const Loop& one) { return !one.contains(again_.call); });
    return loop && watches_in(*loop, facts_) != nullptr;
  }

  bool stores_local(const plain_access& access) {
    return active_options().hold("own-stores") && !facts_.aliases.isNoAlias(access.here(), again_.there());
  }

  // A write to another place, whichever PE it is on.
  bool keeps_off(const plain_access& write) {
    auto& evolution = facts_.evolution;
    const auto* apart = dyn_cast<SCEVConstant>(
        evolution.getMinusSCEV(evolution.getSCEV(write.remote), evolution.getSCEV(again_.remote)));
    if (!apart || apart->getAPInt().getSignificantBits() > 62) return false;
    const auto distance = apart->getAPInt().getSExtValue();
    return distance >= static_cast<int64_t>(again_.bytes) || -distance >= static_cast<int64_t>(write.bytes);
  }

  const plain_access &again_, &before_;
  known_facts& facts_;
  SmallPtrSet<BasicBlock*, 16> seen_;
  SmallVector<BasicBlock*, 16> pending_;
};

bool is_other_call(const Instruction& instruction) {
  if (!isa<CallBase>(instruction) || isa<IntrinsicInst>(instruction)) return false;
  return routine_of(callee_name(instruction)) || !active_options().hold("polling-calls");
}

// Whether the value decides, by expressions and functions of it, which way the program goes.
bool decides(CallInst& read) {
  SmallVector<Instruction*, 16> pending{&read};
  SmallPtrSet<Instruction*, 16> seen;
  while (!pending.empty()) {
    auto* one = pending.pop_back_val();
    if (isa<BranchInst, SwitchInst, IndirectBrInst>(one)) return true;
    if (one != &read && is_other_call(*one)) continue;
    for (auto* user : one->users()) {
      auto* next = cast<Instruction>(user);
      if (const auto* choice = dyn_cast<SelectInst>(next); choice && choice->getCondition() == one)
        return true;
      if (seen.insert(next).second) pending.push_back(next);
    }
  }
  return false;
}

class searcher {
 public:
  searcher(Function& function, known_facts& facts) : function_(function), facts_(facts) {}

  std::vector<repeated_read> run() {
    const ReversePostOrderTraversal<const Function*> blocks(&function_);
    if (containsIrreducibleCFG<const BasicBlock*>(blocks, facts_.loops))
      return {}; // cycles may poll that are no loops
    for (auto* block : ReversePostOrderTraversal<Function*>(&function_))
      for (auto& instruction : *block)
        if (const auto read = value_read_by(instruction)) look_at(*read);
    return std::move(found_);
  }

 private:
  void look_at(const plain_access& read) {
    for (auto earlier = reads_.rbegin(); earlier != reads_.rend(); ++earlier)
      if (is_same_read(*earlier, read) && is_in_each_round(*earlier, read)) {
        found_.push_back({read.call, earlier->call, obstacle(*earlier, read)});
        if (found_.back().obstacle.empty()) return; // it will be gone
        break;
      }
    reads_.push_back(read);
  }

  // Whether each time that `again` is made, `before` has been made in the same round of the same loops.
  bool is_in_each_round(const plain_access& before, const plain_access& again) const {
    return facts_.dominators.dominates(before.call, again.call) && loop_of(before) == loop_of(again);
  }

  Loop* loop_of(const plain_access& read) const { return facts_.loops.getLoopFor(read.call->getParent()); }

  std::string obstacle(const plain_access& before, const plain_access& again) {
    if (is_strict(*again.call) || is_strict(*before.call)) return "it stands behind #pragma shmem strict";
    for (const auto* call : {again.call, before.call})
      if (!is_relaxed(*call)) return "other PEs may write there meanwhile; " + promise_for(*call);
    if (const auto* change = interval(again, before, facts_).change())
      return "the place may be changed " + place_of(*change);
    if (may_poll(again, loop_of(again), facts_) || may_poll(before, loop_of(before), facts_))
      return "its value may decide whether a loop around it goes on";
    if (active_options().hold("polling") && both_decide(before, again))
      return "both reads decide which way the program goes, as polling does";
    return "";
  }

  bool both_decide(const plain_access& before, const plain_access& again) const {
    if (decides(*before.call) && decides(*again.call)) return true;
    return active_options().hold("polling-in-turn") && may_poll_in_turn(before, again, facts_);
  }

  static std::string place_of(const Instruction& change) {
    const auto name = callee_name(change).str();
    const auto where = place_outside_library(change.getDebugLoc());
    return (name.empty() ? "" : "by " + name + " ") +
           (where ? "at " + line_in(where, *change.getFunction()) : "in between");
  }

  Function& function_;
  known_facts& facts_;
  std::vector<plain_access> reads_;
  std::vector<repeated_read> found_;
};

} // namespace

std::vector<repeated_read> repeated_reads(Function& function, known_facts& facts) {
  return searcher(function, facts).run();
}

} // namespace windrow::compiler::comm
