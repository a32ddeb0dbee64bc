// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/bound.hpp"

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/invariants.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/comm/polling.hpp"

namespace windrow::compiler::comm {

// It is made in every round, so also in the first one.
LoadInst* frozen_bound::find(ICmpInst& compare, Loop& loop, known_facts& facts) {
  for (auto& operand : compare.operands()) {
    auto* cast = dyn_cast<CastInst>(operand.get());
    compares_ = cast && loop.contains(cast) ? static_cast<Instruction*>(cast) : &compare;
    auto* load = dyn_cast<LoadInst>(compares_ == cast ? cast->getOperand(0) : operand.get());
    if (!load || !loop.contains(load) || !load->isSimple() || isa<ScalableVectorType>(load->getType()))
      continue;
    if (loop.isLoopInvariant(load->getPointerOperand()) &&
        facts.dominators.dominates(load->getParent(), loop.getLoopLatch()))
      return load;
  }
  return nullptr;
}

// Behind those that wait, the bound may be another one.
bool frozen_bound::compare_with_reads(const MemoryLocation& bound, Loop& loop, known_facts& facts) {
  const auto* wait = others_may_write(bound, facts) ? waits_in(loop, facts) : nullptr;
  if (wait) obstacle_ = "what is read" + line_of(*wait) + " may wait for another PE to change it";
  return !wait;
}

bool frozen_bound::compare_with_stores(const MemoryLocation& bound, Loop& loop, known_facts& facts) {
  const auto place = follow_place(bound, loop, facts);
  const auto stores = stores_of(loop, facts);
  obstacle_ = stores.obstacle;
  for (const auto& store : stores.all) {
    if (!active_options().hold("bounds") || never_share(store.place, bound, facts)) continue;
    if (!place || !store.steps)
      obstacle_ = "the loop writes" + line_of(*store.by) + ", and that may be what says how many";
    else
      apart_.emplace_back(*store.steps, *place);
  }
  return obstacle_.empty();
}

void frozen_bound::compare_with_writes(const MemoryLocation& bound, Loop& loop, known_facts& facts) {
  for (auto* block : loop.blocks())
    for (auto& instruction : *block)
      if (const auto access = plain_access_of(instruction); access && !access->reads)
        needs_far_writes_ |= !never_share(MemoryLocation::getBeforeOrAfter(access->remote), bound, facts);
}

void frozen_bound::freeze(Loop& loop, known_facts& facts) {
  auto* latch = loop.getLoopLatch();
  auto* branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || !loop.isLoopExiting(latch)) return;
  auto* compare = dyn_cast<ICmpInst>(branch->getCondition());
  if (!compare) return;
  auto* load = find(*compare, loop, facts);
  if (load) {
    const auto bound = MemoryLocation::get(load);
    compare_with_writes(bound, loop, facts);
    if (compare_with_reads(bound, loop, facts) && compare_with_stores(bound, loop, facts)) {
      each_round_ = load;
      once_ = cast<LoadInst>(load->clone());
      once_->setName("bound");
      facts.readers.forget();
      once_->insertBefore(loop.getLoopPreheader()->getTerminator());
      compares_->replaceUsesOfWith(each_round_, once_);
    }
  }
  facts.evolution.forgetLoop(&loop);
}

void frozen_bound::thaw(Loop& loop, known_facts& facts) {
  if (!is_frozen()) return;
  compares_->replaceUsesOfWith(once_, each_round_);
  facts.evolution.forgetLoop(&loop);
  facts.evolution.forgetValue(once_);
  facts.readers.forget();
  once_->eraseFromParent();
  once_ = nullptr;
}

void frozen_bound::thaw_copy(ValueToValueMapTy& copies) const {
  if (is_frozen()) cast<Instruction>(copies[compares_])->replaceUsesOfWith(once_, copies[each_round_]);
}

} // namespace windrow::compiler::comm
