// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/ahead.hpp"

#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include "compiler/comm/options.hpp"
#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::comm {

namespace {

constexpr uint64_t largest_value = 1024; // bytes, of a read that is made ahead

} // namespace

// Of branches one inside the other. Where ways meet again before the read, it is not said which was taken.
std::optional<SmallVector<ahead_finder::condition, 1>> ahead_finder::conditions_of(
    const plain_access& read) const {
  SmallVector<condition, 1> found;
  for (auto* block = read.call->getParent(); !is_in_every_round(block);) {
    auto* before = block->getSinglePredecessor();
    auto* branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    if (!branch) return std::nullopt;
    if (branch->isConditional()) found.push_back({branch, block});
    block = before;
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::string ahead_finder::obstacle_of(Instruction& instruction, ArrayRef<condition> conditions) const {
  if (isa<PHINode>(instruction))
    return instruction.getParent() == loop_.getHeader() ? "" : "its place depends on a condition";
  const bool guarded =
      any_of(conditions, [&](const condition& one) { return one.block == instruction.getParent(); });
  if (!guarded && !is_in_every_round(instruction.getParent())) return "its place depends on a condition";
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple() && !isa<ScalableVectorType>(load->getType())
               ? ""
               : "its place is read from volatile or atomic memory";
  if (plain_access_of(instruction)) return "its place depends on what the loop reads" + line_of(instruction);
  if (const auto* call = dyn_cast<CallInst>(&instruction)) {
    if (callee_name(*call) == "shmem_my_pe" || callee_name(*call) == "shmem_n_pes")
      return ""; // always the same
    const bool computes = call->doesNotAccessMemory() && call->doesNotThrow() && !call->isConvergent() &&
                          call->hasFnAttr(Attribute::WillReturn);
    return computes ? "" : "its place is computed by " + callee_name(*call).str();
  }
  return isa<AllocaInst>(instruction) || instruction.mayReadOrWriteMemory() || instruction.isTerminator()
             ? "its place cannot be computed ahead"
             : "";
}

std::string ahead_finder::add(const plain_access& read) {
  if (read.bytes > largest_value) return "what it reads is large";
  const auto conditions = conditions_of(read);
  if (!conditions) return "that on more than one way";
  auto needed = needed_;
  SmallVector<Value*, 16> pending{read.remote, read.pe};
  for (const auto& one : *conditions) pending.push_back(one.decides->getCondition());
  while (!pending.empty()) {
    auto* one = dyn_cast<Instruction>(pending.pop_back_val());
    if (!one || !loop_.contains(one) || !needed.insert(one).second) continue;
    if (auto obstacle = obstacle_of(*one, *conditions); !obstacle.empty()) return obstacle;
    append_range(pending, one->operand_values());
  }
  needed_ = std::move(needed);
  reads_.push_back(read);
  return "";
}

std::string ahead_finder::finish(ahead& found) {
  found_.reads = reads_;
  LoopBlocksRPO order(&loop_);
  order.perform(&facts_.loops);
  for (auto* block : order)
    for (auto& instruction : *block)
      if (auto* phi = dyn_cast<PHINode>(&instruction); phi && needed_.contains(phi))
        found_.phis.push_back(phi);
      else if (needed_.contains(&instruction) && is_in_every_round(block))
        found_.computed.push_back(&instruction);
  for (auto* block : order)
    for (auto& instruction : *block)
      if (auto* load = dyn_cast<LoadInst>(&instruction); load && needed_.contains(load))
        loads_.push_back(load);
  for (const auto& read : reads_) add_guards(read);
  const auto stores = stores_of(loop_, facts_);
  if (!stores.obstacle.empty()) return stores.obstacle;
  for (const auto& store : stores.all)
    if (auto obstacle = compare(store); !obstacle.empty()) return obstacle;
  found = std::move(found_);
  return "";
}

namespace {

// A round stores only what it has loaded, or the rounds before it, so that loading ahead sees nothing that is
// stored later than it should.
bool stores_behind(const stepping_place& store, const stepping_place& load, bool loads_first,
                   ScalarEvolution& evolution) {
  if (store.step != load.step || store.step == 0) return false;
  const auto* apart = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(store.start, load.start));
  if (!apart || apart->getAPInt().getSignificantBits() > 62) return false;
  const auto by = apart->getAPInt().getSExtValue(), step = store.step;
  const bool in_one_round =
      by < static_cast<int64_t>(load.bytes) && by + static_cast<int64_t>(store.bytes) > 0;
  if (in_one_round && !loads_first) return false;
  return step > 0 ? by + static_cast<int64_t>(store.bytes) <= step
                  : by >= step + static_cast<int64_t>(load.bytes);
}

} // namespace

void ahead_finder::add_guards(const plain_access& read) {
  auto& guards = found_.guards.emplace_back();
  const auto conditions = conditions_of(read);
  for (const auto& [branch, block] : *conditions) {
    guards.push_back({branch->getCondition(), branch->getSuccessor(0) == block, {}});
    for (auto& instruction : *block)
      if (needed_.contains(&instruction)) guards.back().computed.push_back(&instruction);
  }
}

std::string ahead_finder::compare(const loop_store& store) {
  const auto told = "the loop writes" + line_of(*store.by);
  if (auto obstacle = compare_with_loads(store, told); !obstacle.empty()) return obstacle;
  const bool may_be_read = any_of(reads_, [&](const plain_access& read) {
    return !never_share(store.place, MemoryLocation::getBeforeOrAfter(read.remote), facts_);
  });
  if (!may_be_read || !active_options().hold("near-stores")) return "";
  if (!store.steps) return told + ", and that may be what is read";
  found_.stores.push_back(*store.steps);
  return "";
}

std::string ahead_finder::compare_with_loads(const loop_store& store, const std::string& told) {
  if (!active_options().hold("ahead")) return "";
  for (auto* load : loads_) {
    if (never_share(store.place, MemoryLocation::get(load), facts_)) continue;
    const auto loaded = follow_place(MemoryLocation::get(load), loop_, facts_);
    if (!store.steps || !loaded) return told + ", and that may be what names the place";
    const bool loads_first = facts_.dominators.dominates(load, store.by);
    if (!stores_behind(*store.steps, *loaded, loads_first, facts_.evolution))
      found_.apart.emplace_back(*store.steps, *loaded);
  }
  return "";
}

} // namespace windrow::compiler::comm
