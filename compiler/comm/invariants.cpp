// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/invariants.hpp"

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/counting.hpp"
#include "compiler/comm/late_writes.hpp"
#include "compiler/comm/obstacles.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/comm/polling.hpp"
#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::comm {

namespace {

class hoister {
 public:
  hoister(Loop& loop, known_facts& facts) : loop_(loop), facts_(facts) {}

  /// Whether the value is the same in all rounds, and computed in front of them. If not, parts of it may be.
  bool hoist(Value& value) {
    auto* instruction = dyn_cast<Instruction>(&value);
    if (!instruction || !loop_.contains(instruction)) return true;
    if (!seen_.insert(instruction).second) return false;
    if (auto* phi = dyn_cast<PHINode>(instruction)) return replace_by_load(*phi);
    bool invariant = true;
    for (auto& operand : instruction->operands()) invariant &= hoist(*operand);
    if (!invariant || !is_made_each_round(*instruction) || !is_same_each_round(*instruction)) return false;
    facts_.moved.move(*instruction, *loop_.getLoopPreheader()->getTerminator());
    facts_.evolution.forgetValue(instruction);
    return true;
  }

 private:
  // LLVM loads anew only behind calls of the library what it has loaded in front of the loop: that is one
  // value if nothing writes there.
  bool replace_by_load(PHINode& phi) {
    auto* before = only_load_before(phi);
    if (!before || !still_holds(*before)) return false;
    for (auto* one : same_) facts_.evolution.forgetValue(one);
    for (auto* one : same_) facts_.moved.replace(*one, *before);
    facts_.evolution.forgetLoop(&loop_);
    return true;
  }

  // In front of the loop, where all that the phi may be is loaded from the same memory, which the loop does
  // not write.
  LoadInst* only_load_before(PHINode& phi) {
    LoadInst* before = nullptr;
    SmallVector<LoadInst*, 4> inside;
    SmallVector<Value*, 4> pending{&phi};
    same_.clear();
    while (!pending.empty()) {
      auto* one = pending.pop_back_val();
      if (auto* part = dyn_cast<PHINode>(one); part && loop_.contains(part)) {
        if (same_.insert(part)) append_range(pending, part->incoming_values());
        continue;
      }
      auto* load = dyn_cast<LoadInst>(one);
      if (!load || !load->isSimple() || (!loop_.contains(load) && before && before != load)) return nullptr;
      if (loop_.contains(load))
        inside.push_back(load);
      else
        before = load;
    }
    const bool one_place = before && all_of(inside, [&](const LoadInst* load) {
                             return load->getPointerOperand() == before->getPointerOperand() &&
                                    load->getType() == before->getType();
                           });
    return one_place && !is_written(*before) ? before : nullptr;
  }

  // Nothing is written there on the one way from the load to the loop.
  bool still_holds(LoadInst& load) const {
    const auto place = MemoryLocation::get(&load);
    for (auto* block = loop_.getLoopPreheader(); block; block = block->getSinglePredecessor())
      for (auto& instruction : reverse(*block)) {
        if (&instruction == &load) return true;
        if (instruction.mayWriteToMemory() && (may_write(instruction, place) || waits(instruction, place)))
          return false;
      }
    return false;
  }

  bool is_made_each_round(const Instruction& instruction) const {
    return facts_.dominators.dominates(instruction.getParent(), loop_.getLoopLatch());
  }

  bool is_same_each_round(Instruction& instruction) const {
    const auto name = callee_name(instruction);
    if (name == "shmem_my_pe" || name == "shmem_n_pes") return true;
    if (isa<CallBase, AllocaInst>(instruction) || instruction.isTerminator()) return false;
    if (const auto* load = dyn_cast<LoadInst>(&instruction)) return load->isSimple() && !is_written(*load);
    return !instruction.mayReadOrWriteMemory();
  }

  bool is_written(const LoadInst& load) const {
    if (!active_options().hold("invariants")) return false;
    const auto place = MemoryLocation::get(&load);
    if (others_may_write(place, facts_) && waits_in(loop_, facts_)) return true;
    return any_of(loop_.blocks(), [&](BasicBlock* block) {
      return any_of(*block,
                    [&](Instruction& one) { return one.mayWriteToMemory() && may_write(one, place); });
    });
  }

  bool waits(Instruction& instruction, const MemoryLocation& place) const {
    const auto access = plain_access_of(instruction);
    return access && access->reads && others_may_write(place, facts_) && may_wait(*access, facts_);
  }

  // An access that writes may write on this PE.
  bool may_write(Instruction& instruction, const MemoryLocation& place) const {
    if (is_query(callee_name(instruction)) || changes_nothing(instruction)) return false;
    if (auto* written = place_of_collected(instruction))
      return !facts_.aliases.isNoAlias(MemoryLocation::getBeforeOrAfter(written), place);
    const auto access = plain_access_of(instruction);
    if (!access) return isModSet(facts_.aliases.getModRefInfo(&instruction, place));
    auto* written = access->reads ? access->local : access->remote;
    return written && !facts_.aliases.isNoAlias(MemoryLocation::getBeforeOrAfter(written), place);
  }

  Loop& loop_;
  known_facts& facts_;
  SmallPtrSet<Instruction*, 16> seen_;
  SmallSetVector<PHINode*, 4> same_; ///< all that have the value of one
};

// From the outermost to the innermost.
SmallVector<Loop*, 4> loops_around(const BasicBlock& block, Loop& outermost, known_facts& facts) {
  SmallVector<Loop*, 4> found;
  for (auto* loop = facts.loops.getLoopFor(&block); loop != &outermost; loop = loop->getParentLoop())
    found.push_back(loop);
  found.push_back(&outermost);
  std::reverse(found.begin(), found.end());
  return found;
}

void hoist_place(Instruction& access, Loop& outermost, known_facts& facts) {
  for (auto* loop : loops_around(*access.getParent(), outermost, facts)) {
    if (!ends_at_its_latch(*loop)) continue;
    hoist_operands(*plain_access_of(access)->pe, *loop, facts);
    hoist_operands(*plain_access_of(access)->remote, *loop, facts);
  }
}

void hoist_decisions(Loop& loop, known_facts& facts) {
  for (auto* block : loop.blocks()) {
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional()) continue;
    const auto* around = facts.loops.getLoopFor(block);
    if (around->isLoopExiting(block) && !compares_counter(*block, *around, facts.evolution)) continue;
    hoist_operands(*branch->getCondition(), loop, facts);
  }
}

} // namespace

void hoist_operands(Value& value, Loop& loop, known_facts& facts) {
  hoister(loop, facts).hoist(value);
}

bool ends_at_its_latch(const Loop& loop) {
  return loop.isLoopSimplifyForm() && loop.getExitingBlock() == loop.getLoopLatch();
}

void hoist_places(Loop& loop, known_facts& facts) {
  for (auto* block : loop.blocks())
    for (auto& instruction : *block)
      if (plain_access_of(instruction)) hoist_place(instruction, loop, facts);
  hoist_decisions(loop, facts);
}

} // namespace windrow::compiler::comm
