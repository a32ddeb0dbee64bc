// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/polling.hpp"

#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>

#include "compiler/comm/late_writes.hpp"
#include "compiler/comm/obstacles.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/common/api/routines.hpp"

namespace windrow::compiler::comm {

namespace {

/// Follows a value through a loop, or a function: through expressions, memory, and what it decides about, up
/// to a decision that is looked for.
class follower {
 public:
  using decision = function_ref<bool(BasicBlock&)>;

  /// `is_sought`: whether the end of the block is such a decision.
  follower(const Loop& within, const PostDominatorTree& behind, AAResults& aliases, decision is_sought)
      : within_(&within),
        blocks_(within.blocks()),
        behind_(behind),
        aliases_(aliases),
        is_sought_(is_sought) {}
  /// `with_selects`: each choice of a value is such a decision, too.
  follower(Function& function, known_facts& facts, decision is_sought, bool with_selects = false)
      : within_(nullptr),
        behind_(facts.behind),
        aliases_(facts.aliases),
        is_sought_(is_sought),
        with_selects_(with_selects) {
    for (auto& block : function) blocks_.push_back(&block);
  }

  bool reaches(const plain_access& read) {
    if (read.local)
      spread_to_readers([&](const MemoryLocation& place) { return !aliases_.isNoAlias(read.here(), place); });
    else
      spread_to_users(*read.call);
    return follow();
  }

  bool plainly_reaches(const bulk_access& read) {
    const auto* object = getUnderlyingObject(read.local);
    spread_to_readers([&](const MemoryLocation& place) { return getUnderlyingObject(place.Ptr) == object; });
    return follow();
  }

 private:
  bool follow() {
    while (!found_ && !pending_.empty()) visit(*pending_.pop_back_val());
    return found_;
  }

  bool contains(const BasicBlock* block) const { return !within_ || within_->contains(block); }

  void add(Instruction& instruction) {
    if (contains(instruction.getParent()) && seen_.insert(&instruction).second)
      pending_.push_back(&instruction);
  }

  void spread_to_users(Instruction& value) {
    for (auto* user : value.users()) {
      const auto* choice = dyn_cast<SelectInst>(user);
      found_ |= with_selects_ && choice && choice->getCondition() == &value;
      add(*cast<Instruction>(user));
    }
  }

  void visit(Instruction& instruction) {
    if (instruction.isTerminator() && !isa<InvokeInst>(instruction))
      return visit_decision(*instruction.getParent());
    if (instruction.mayWriteToMemory() && !is_of_library(instruction) && !changes_nothing(instruction))
      spread_to_readers(
          [&](const MemoryLocation& place) { return isModSet(aliases_.getModRefInfo(&instruction, place)); });
    spread_to_users(instruction);
  }

  // What is sent to other PEs is not followed there.
  static bool is_of_library(const Instruction& instruction) {
    const auto name = callee_name(instruction);
    return routine_of(name) || order_of(name) != order::none || place_of_collected(instruction);
  }

  // To all that may read a place that is written.
  template <class IsWritten>
  void spread_to_readers(IsWritten is_written) {
    for (auto* block : blocks_)
      for (auto& reader : *block) {
        if (!reader.mayReadFromMemory() || is_of_library(reader) || seen_.contains(&reader)) continue;
        const auto place = MemoryLocation::getOrNone(&reader);
        if (!place || is_written(*place)) add(reader);
      }
  }

  // Blocks that run or do not, as the end of `block` says: up to where all ways meet again.
  void visit_decision(BasicBlock& block) {
    if (block.getTerminator()->getNumSuccessors() < 2) return;
    const auto* node = behind_.getNode(&block);
    const auto* meeting = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    found_ |= (!meeting && within_) || is_sought_(block);
    SmallVector<BasicBlock*, 8> decided(successors(&block));
    SmallPtrSet<BasicBlock*, 8> met;
    while (!decided.empty() && !found_) {
      auto* one = decided.pop_back_val();
      if (!contains(one) || !met.insert(one).second) continue;
      for (auto& phi : one->phis()) add(phi);
      if (one == meeting) continue;
      found_ |= is_sought_(*one);
      for (auto& instruction : *one)
        if (instruction.mayWriteToMemory()) add(instruction);
      append_range(decided, successors(one));
    }
  }

  const Loop* within_; ///< null: the function
  SmallVector<BasicBlock*, 16> blocks_;
  const PostDominatorTree& behind_;
  AAResults& aliases_;
  decision is_sought_;
  const bool with_selects_ = false;
  SmallPtrSet<Instruction*, 32> seen_;
  SmallVector<Instruction*, 32> pending_;
  bool found_ = false;
};

bool is_exit_around(BasicBlock& block, const Loop& innermost) {
  for (const auto* loop = &innermost; loop; loop = loop->getParentLoop())
    if (loop->contains(&block) && loop->isLoopExiting(&block)) return true;
  return false;
}

// Whether the end of the block, which is between the two reads, decides whether the second is made.
bool decides_about(BasicBlock& block, BasicBlock& second, BasicBlock& first, known_facts& facts) {
  if (block.getTerminator()->getNumSuccessors() < 2 || facts.behind.dominates(&second, &block)) return false;
  SmallVector<BasicBlock*, 8> ways(successors(&block));
  const SmallPtrSet<BasicBlock*, 1> but_not_by{&first};
  return isPotentiallyReachableFromMany(ways, &second, &but_not_by);
}

} // namespace

bool may_poll(const plain_access& read, const Loop* innermost, const PostDominatorTree& behind,
              AAResults& aliases) {
  if (!innermost || !active_options().hold("polling")) return false;
  const auto is_exit = [&](BasicBlock& block) { return is_exit_around(block, *innermost); };
  return follower(*innermost->getOutermostLoop(), behind, aliases, is_exit).reaches(read);
}

bool plainly_polls(const bulk_access& read, const Loop* innermost, const PostDominatorTree& behind,
                   AAResults& aliases) {
  if (!innermost || !active_options().hold("polling")) return false;
  const auto is_exit = [&](BasicBlock& block) { return is_exit_around(block, *innermost); };
  return follower(*innermost->getOutermostLoop(), behind, aliases, is_exit).plainly_reaches(read);
}

bool may_end(const plain_access& read, const Loop& loop, const PostDominatorTree& behind,
             AAResults& aliases) {
  const auto is_exit = [&](BasicBlock& block) { return loop.contains(&block) && loop.isLoopExiting(&block); };
  return follower(*loop.getOutermostLoop(), behind, aliases, is_exit).reaches(read);
}

bool plainly_ends(const bulk_access& read, const Loop& loop, const PostDominatorTree& behind,
                  AAResults& aliases) {
  const auto is_exit = [&](BasicBlock& block) { return loop.contains(&block) && loop.isLoopExiting(&block); };
  return follower(*loop.getOutermostLoop(), behind, aliases, is_exit).plainly_reaches(read);
}

bool may_poll_in_turn(const plain_access& first, const plain_access& second, known_facts& facts) {
  auto &begin = *first.call->getParent(), &end = *second.call->getParent();
  if (&begin == &end) return false;
  auto& function = *begin.getParent();
  const auto is_between = [&](BasicBlock& block) { return decides_about(block, end, begin, facts); };
  const auto is_any = [](BasicBlock& block) { return block.getTerminator()->getNumSuccessors() > 1; };
  return follower(function, facts, is_between).reaches(first) &&
         follower(function, facts, is_any, /*with_selects=*/true).reaches(second);
}

} // namespace windrow::compiler::comm
