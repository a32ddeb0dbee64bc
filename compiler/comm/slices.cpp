// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/slices.hpp"

#include <llvm/ADT/STLExtras.h>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/counting.hpp"
#include "compiler/comm/obstacles.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/comm/stores.hpp"
#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::comm {

slice::slice(Loop& loop, known_facts& facts) : loop_(loop), facts_(facts) {
  const auto* latch = loop.getLoopLatch();
  returns_to_latch_ = latch && all_of(loop.blocks(), [&](const BasicBlock* block) {
                        return facts.behind.dominates(latch, block);
                      });
  if (returns_to_latch_) find_deciders();
}

// The latch has been left out: whether the loop goes on is no matter of its rounds.
void slice::find_deciders() {
  for (auto* block : loop_.blocks()) {
    auto* end = block->getTerminator();
    if (end->getNumSuccessors() < 2 || block == loop_.getLoopLatch()) continue;
    const auto* meeting = facts_.behind.getNode(block)->getIDom();
    for (const auto* next : successors(block))
      for (const auto* node = facts_.behind.getNode(next); node && node != meeting; node = node->getIDom())
        deciders_[node->getBlock()].push_back(end);
  }
}

// What waits for another PE must not be waited for ahead of what the rounds before do.
bool slice::ends_by_itself(const BasicBlock& block) {
  if (!active_options().hold("nest-counts")) return true;
  for (const auto* inner = facts_.loops.getLoopFor(&block); inner && inner != &loop_;
       inner = inner->getParentLoop())
    if (!counts(*inner, facts_)) return false;
  return true;
}

std::string slice::obstacle_of(Instruction& instruction) {
  if (!ends_by_itself(*instruction.getParent())) return "a loop around it does not count";
  if (isa<PHINode, BranchInst, SwitchInst>(instruction)) return "";
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple() && !isa<ScalableVectorType>(load->getType())
               ? ""
               : "its place is read from volatile or atomic memory";
  if (plain_access_of(instruction)) return "its place depends on what the loop reads" + line_of(instruction);
  if (const auto* call = dyn_cast<CallInst>(&instruction)) {
    if (callee_name(*call) == "shmem_my_pe" || callee_name(*call) == "shmem_n_pes")
      return ""; // always the same
    const bool computes = call->doesNotAccessMemory() && only_reads_here(*call) && call->doesNotThrow() &&
                          !call->isConvergent() && call->hasFnAttr(Attribute::WillReturn);
    return computes ? "" : "its place is computed by " + callee_name(*call).str();
  }
  return isa<AllocaInst>(instruction) || instruction.mayReadOrWriteMemory() || instruction.isTerminator()
             ? "its place cannot be computed ahead"
             : "";
}

std::string slice::add(Instruction& point, ArrayRef<Value*> values) {
  if (!returns_to_latch_) return "a loop around it does not count";
  if (!ends_by_itself(*point.getParent())) return "a loop around it does not count";
  auto needed = needed_;
  SmallVector<Instruction*, 16> pending;
  const auto take = [&](Value* value) {
    auto* one = dyn_cast<Instruction>(value);
    if (one && loop_.contains(one) && needed.insert(one).second) pending.push_back(one);
  };
  const auto take_deciders = [&](const BasicBlock* block) {
    const auto found = deciders_.find(block);
    if (found != deciders_.end() && active_options().hold("decisions")) for_each(found->second, take);
  };
  for_each(values, take);
  take_deciders(point.getParent());
  while (!pending.empty()) {
    auto* one = pending.pop_back_val();
    if (auto obstacle = obstacle_of(*one); !obstacle.empty()) return obstacle;
    take_deciders(one->getParent());
    if (const auto* phi = dyn_cast<PHINode>(one)) for_each(phi->blocks(), take_deciders);
    for_each(one->operand_values(), take);
  }
  needed_ = std::move(needed);
  return "";
}

SmallVector<std::pair<BasicBlock*, BasicBlock*>, 4> slice::idle_choices() const {
  SmallVector<std::pair<BasicBlock*, BasicBlock*>, 4> found;
  for (auto* block : loop_.blocks()) {
    auto* end = block->getTerminator();
    if (block == loop_.getLoopLatch() || end->getNumSuccessors() < 2 || needed_.contains(end)) continue;
    found.emplace_back(block, facts_.behind.getNode(block)->getIDom()->getBlock());
  }
  return found;
}

} // namespace windrow::compiler::comm
