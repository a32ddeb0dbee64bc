// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/polling.hpp"

#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>

#include "compiler/comm/counting.hpp"
#include "compiler/comm/late_writes.hpp"
#include "compiler/comm/obstacles.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/common/analysis/library_use.hpp"
#include "compiler/common/api/routines.hpp"

namespace windrow::compiler::comm {

namespace {

/// Follows a value through a loop, or a function: through expressions, memory, and what it decides about, up
/// to a decision that is looked for.
class follower {
 public:
  using decision = function_ref<bool(BasicBlock&)>;

  /// `is_sought`: whether the end of the block is such a decision.
  follower(const Loop& within, const PostDominatorTree& behind, memory_readers& readers, decision is_sought)
      : within_(&within),
        blocks_(within.blocks()),
        behind_(behind),
        readers_(readers),
        is_sought_(is_sought) {}
  /// `with_selects`: each choice of a value is such a decision, too.
  follower(Function& function, known_facts& facts, decision is_sought, bool with_selects = false)
      : within_(nullptr),
        behind_(facts.behind),
        readers_(facts.readers),
        is_sought_(is_sought),
        with_selects_(with_selects) {
    for (auto& block : function) blocks_.push_back(&block);
  }

  bool reaches(const plain_access& read) {
    if (read.local)
      spread_to_readers([&](const MemoryLocation& place) { return readers_.may_meet(read.here(), place); });
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
      for (auto* reader : readers_.of(instruction, within_, blocks_)) add(*reader);
    spread_to_users(instruction);
  }

  // To all that may read a place that is written.
  template <class IsWritten>
  void spread_to_readers(IsWritten is_written) {
    for (auto* reader : readers_.all(within_, blocks_)) {
      const auto place = MemoryLocation::getOrNone(reader);
      if (!place || is_written(*place)) add(*reader);
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
  memory_readers& readers_;
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

// By the loop, on purpose.
bool is_plainly_written(const MemoryLocation& place, const Loop& loop, known_facts& facts) {
  const auto writes = [&](Instruction& one) {
    const auto access = plain_access_of(one);
    if (!access && is_of_library(one)) return false;
    const auto written = access
                             ? access->reads && access->local ? std::optional(access->here()) : std::nullopt
                         : one.mayWriteToMemory() ? MemoryLocation::getOrNone(&one)
                                                  : std::nullopt;
    return written && facts.aliases.isMustAlias(*written, place);
  };
  return any_of(loop.blocks(), [&](BasicBlock* block) { return any_of(*block, writes); });
}

// Of a counter. To such a bound the loop may store what it reads from anywhere: that is no polling.
bool has_loaded_bound(const BasicBlock& block, known_facts& facts) {
  const auto& loop = *facts.loops.getLoopFor(&block);
  if (!loop.isLoopExiting(&block) || !compares_counter(block, loop, facts.evolution)) return false;
  const auto* compare = cast<ICmpInst>(cast<BranchInst>(block.getTerminator())->getCondition());
  return any_of(compare->operands(), [&](const Value* value) {
    const auto* cast = dyn_cast<CastInst>(value);
    const auto* load = dyn_cast<LoadInst>(cast ? cast->getOperand(0) : value);
    if (!load || !others_may_write(MemoryLocation::get(load), facts)) return false;
    return !active_options().hold("written-bound") ||
           !is_plainly_written(MemoryLocation::get(load), loop, facts);
  });
}

// In each round anew, of what others may write, but for bounds of counters.
const LoadInst* load_that_ends(const Loop& loop, known_facts& facts) {
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  SmallVector<const Value*, 8> pending;
  for (const auto* block : exiting)
    if (!compares_counter(*block, loop, facts.evolution))
      append_range(pending, block->getTerminator()->operand_values());
  SmallPtrSet<const Value*, 8> seen;
  while (!pending.empty()) {
    const auto* value = dyn_cast<Instruction>(pending.pop_back_val());
    if (!value || !loop.contains(value) || !seen.insert(value).second) continue;
    const auto* load = dyn_cast<LoadInst>(value);
    if (load && others_may_write(MemoryLocation::get(load), facts)) return load;
    if (!load) append_range(pending, value->operand_values());
  }
  return nullptr;
}

// Whether the end of the block, which is between the two reads, decides whether the second is made.
bool decides_about(BasicBlock& block, BasicBlock& second, BasicBlock& first, known_facts& facts) {
  if (block.getTerminator()->getNumSuccessors() < 2 || facts.behind.dominates(&second, &block)) return false;
  SmallVector<BasicBlock*, 8> ways(successors(&block));
  const SmallPtrSet<BasicBlock*, 1> but_not_by{&first};
  return isPotentiallyReachableFromMany(ways, &second, &but_not_by);
}

bool is_same_place(const plain_access& one, const plain_access& other, known_facts& facts) {
  auto& evolution = facts.evolution;
  return evolution.getSCEV(one.remote) == evolution.getSCEV(other.remote) &&
         evolution.getSCEV(one.pe) == evolution.getSCEV(other.pe);
}

// LLVM makes such a read of a loop that looks before each round. The other one does not go on from what has
// been read, as along a list, nor searches.
bool may_look_before(const plain_access& read, const plain_access& polling, known_facts& facts) {
  auto &begin = *read.call->getParent(), &end = *polling.call->getParent();
  const auto* loop =
      widest_loop(*polling.call, facts.loops, [&](const Loop& one) { return !one.contains(&begin); });
  const auto goes_on = [&](const SCEV* part) {
    const auto* unknown = dyn_cast<SCEVUnknown>(part);
    const auto* value = unknown ? dyn_cast<Instruction>(unknown->getValue()) : nullptr;
    return value && loop->contains(value);
  };
  const auto* place = facts.evolution.getSCEV(polling.remote);
  if (SCEVExprContains(place, goes_on)) return false;
  if (loop == facts.loops.getLoopFor(&end) && !facts.evolution.isLoopInvariant(place, loop)) return false;
  const auto is_between = [&](BasicBlock& block) { return decides_about(block, end, begin, facts); };
  return follower(*begin.getParent(), facts, is_between).reaches(read);
}

} // namespace

bool may_poll(const plain_access& read, const Loop* innermost, known_facts& facts) {
  if (!innermost || !active_options().hold("polling")) return false;
  const auto is_exit = [&](BasicBlock& block) { return is_exit_around(block, *innermost); };
  return follower(*innermost->getOutermostLoop(), facts.behind, facts.readers, is_exit).reaches(read);
}

bool plainly_polls(const bulk_access& read, const Loop* innermost, known_facts& facts) {
  if (!innermost || !active_options().hold("polling")) return false;
  const auto is_exit = [&](BasicBlock& block) { return is_exit_around(block, *innermost); };
  return follower(*innermost->getOutermostLoop(), facts.behind, facts.readers, is_exit).plainly_reaches(read);
}

bool may_end(const plain_access& read, const Loop& loop, const PostDominatorTree& behind,
             memory_readers& readers) {
  const auto is_exit = [&](BasicBlock& block) { return loop.contains(&block) && loop.isLoopExiting(&block); };
  return follower(*loop.getOutermostLoop(), behind, readers, is_exit).reaches(read);
}

bool plainly_ends(const bulk_access& read, const Loop& loop, const PostDominatorTree& behind,
                  memory_readers& readers) {
  const auto is_exit = [&](BasicBlock& block) { return loop.contains(&block) && loop.isLoopExiting(&block); };
  return follower(*loop.getOutermostLoop(), behind, readers, is_exit).plainly_reaches(read);
}

bool may_end_inside(const plain_access& read, const Loop& around, known_facts& facts) {
  const auto is_exit = [&](BasicBlock& block) {
    for (const auto* loop = facts.loops.getLoopFor(read.call->getParent()); loop != &around;
         loop = loop->getParentLoop())
      if (loop->contains(&block) && loop->isLoopExiting(&block)) return !has_loaded_bound(block, facts);
    return false;
  };
  return follower(*around.getOutermostLoop(), facts.behind, facts.readers, is_exit).reaches(read);
}

bool may_wait(const plain_access& read, known_facts& facts) {
  if (!active_options().hold("waits")) return false;
  const auto [known, is_new] = facts.waits.try_emplace(read.call, true);
  const auto* innermost = facts.loops.getLoopFor(read.call->getParent());
  if (!is_new || !is_relaxed(*read.call)) return known->second;
  const auto is_exit = [&](BasicBlock& block) {
    return is_exit_around(block, *innermost) && !has_loaded_bound(block, facts);
  };
  const bool waits =
      innermost &&
      follower(*innermost->getOutermostLoop(), facts.behind, facts.readers, is_exit).reaches(read);
  return facts.waits[read.call] = waits;
}

namespace {

const Instruction* waiting_read_in(const Loop& loop, known_facts& facts) {
  for (auto* block : loop.blocks())
    for (auto& instruction : *block)
      if (const auto access = plain_access_of(instruction);
          access && access->reads && may_wait(*access, facts))
        return &instruction;
  return nullptr;
}

} // namespace

const Instruction* waits_in(const Loop& loop, known_facts& facts) {
  if (const auto* read = waiting_read_in(loop, facts)) return read;
  for (const auto* one : loop.getLoopsInPreorder())
    if (active_options().hold("waits") && !counts(*one, facts) && !steps_to_bound(*one, facts))
      return one->getHeader()->getTerminator();
  return nullptr;
}

const LoadInst* watches_in(const Loop& loop, known_facts& facts) {
  for (const auto* one : loop.getLoopsInPreorder()) {
    const auto* load = active_options().hold("watches") ? load_that_ends(*one, facts) : nullptr;
    if (load && waiting_read_in(*one, facts)) return load;
  }
  return nullptr;
}

bool others_may_write(const MemoryLocation& place, known_facts& facts) {
  return isModSet(facts.aliases.getModRefInfoMask(place, /*IgnoreLocals=*/true));
}

SmallVector<plain_access, 2> polling_inside(const Loop& loop, ArrayRef<plain_access> accesses,
                                            known_facts& facts) {
  SmallVector<plain_access, 2> found;
  for (const auto& one : accesses) {
    const auto* inner = facts.loops.getLoopFor(one.call->getParent());
    if (inner != &loop && one.reads && may_poll(one, inner, facts)) found.push_back(one);
  }
  return found;
}

bool may_be_waited_for(const plain_access& read, ArrayRef<plain_access> polling, known_facts& facts) {
  return active_options().hold("polling-first") && any_of(polling, [&](const plain_access& one) {
           const auto* inner = facts.loops.getLoopFor(one.call->getParent());
           return !inner->contains(read.call) &&
                  (is_same_place(read, one, facts) || may_look_before(read, one, facts));
         });
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
