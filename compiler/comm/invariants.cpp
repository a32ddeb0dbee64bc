// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/invariants.hpp"

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/late_writes.hpp"
#include "compiler/comm/options.hpp"
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
    if (isa<PHINode>(instruction) || !seen_.insert(instruction).second) return false;
    bool invariant = true;
    for (auto& operand : instruction->operands()) invariant &= hoist(*operand);
    if (!invariant || !is_made_each_round(*instruction) || !is_same_each_round(*instruction)) return false;
    instruction->moveBefore(loop_.getLoopPreheader()->getTerminator());
    facts_.evolution.forgetValue(instruction);
    return true;
  }

 private:
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
    return any_of(loop_.blocks(), [&](BasicBlock* block) {
      return any_of(*block,
                    [&](Instruction& one) { return one.mayWriteToMemory() && may_write(one, place); });
    });
  }

  // An access that writes may write on this PE.
  bool may_write(Instruction& instruction, const MemoryLocation& place) const {
    if (is_query(callee_name(instruction))) return false;
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
};

} // namespace

void hoist_operands(Value& value, Loop& loop, known_facts& facts) {
  hoister(loop, facts).hoist(value);
}

} // namespace windrow::compiler::comm
