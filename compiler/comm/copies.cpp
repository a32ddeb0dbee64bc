// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/copies.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <limits>

#include "compiler/comm/obstacles.hpp"
#include "compiler/comm/options.hpp"

namespace windrow::compiler::comm {

namespace {

bool has_strided_routine(uint64_t bytes) {
  return bytes <= 16 && (bytes & (bytes - 1)) == 0;
}

class copy_finder {
 public:
  copy_finder(Loop& loop, const loop_plan& plan, known_facts& facts)
      : loop_(loop), plan_(plan), facts_(facts) {}

  loop_copy run() {
    if (!only_reads() || is_used_behind() || !only_hints()) return {};
    const auto stores = stores_of(loop_, facts_);
    if (!stores.obstacle.empty()) return {};
    loop_copy found;
    for (const auto& one : plan_.transfers) {
      const auto* store = find_if(stores.all, [&](const loop_store& to) { return takes(to, one); });
      if (store == stores.all.end()) return {};
      found.push_back({&one, *store->steps});
      used_.push_back(store);
    }
    if (used_.size() != stores.all.size() && active_options().hold("copy-only")) return {};
    return are_apart() ? found : loop_copy();
  }

 private:
  bool only_reads() const {
    return !plan_.is_nest && !plan_.transfers.empty() && plan_.gathered.reads.empty() &&
           plan_.refused.empty() && !plan_.bound.is_frozen() &&
           all_of(plan_.transfers, [](const transfer& one) { return one.reads && one.members.size() == 1; });
  }

  // Calls that nobody uses the result of are gone with the loop: not if they say something in errno.
  bool only_hints() const {
    return all_of(loop_.blocks(), [](const BasicBlock* block) {
      return all_of(*block, [](const Instruction& one) { return is_hint(one) || !changes_nothing(one); });
    });
  }

  bool is_used_behind() const {
    const auto is_outside = [&](const User* user) { return !loop_.contains(cast<Instruction>(user)); };
    return any_of(loop_.blocks(), [&](const BasicBlock* block) {
      return any_of(*block, [&](const Instruction& one) { return any_of(one.users(), is_outside); });
    });
  }

  /// Whether that is where each round leaves what the transfer reads for it, and a routine can do so for all.
  bool takes(const loop_store& to, const transfer& from) const {
    const auto& access = from.members.front().access;
    if (!to.steps || to.steps->bytes != access.bytes || !is_in_every_round(*access.call, loop_, facts_))
      return false;
    if (to.by != access.call && !stores_result(*to.by, *access.call)) return false;
    const auto bytes = static_cast<int64_t>(access.bytes);
    if (from.step < bytes || to.steps->step < bytes) return false;
    if (from.step == bytes && to.steps->step == bytes) return true;
    return has_strided_routine(access.bytes) && from.step % bytes == 0 && to.steps->step % bytes == 0;
  }

  bool stores_result(Instruction& by, CallInst& call) const {
    const auto* store = dyn_cast<StoreInst>(&by);
    return store && store->isSimple() && store->getValueOperand() == &call && call.hasOneUse() &&
           facts_.dominators.dominates(by.getParent(), loop_.getLoopLatch());
  }

  // The PE may be this one, or its memory be in the reach of this one: what is stored is an object of this
  // PE, and another one than what is read.
  bool are_apart() const {
    if (!active_options().hold("copy-apart")) return true;
    for (size_t i = 0; i < used_.size(); ++i) {
      if (!isIdentifiedObject(getUnderlyingObject(used_[i]->place.Ptr))) return false;
      for (const auto& one : plan_.transfers) {
        const auto* remote = one.members.front().access.remote;
        if (!never_share(used_[i]->place, MemoryLocation::getBeforeOrAfter(remote), facts_)) return false;
      }
      for (size_t j = 0; j < i; ++j)
        if (!never_share(used_[i]->place, used_[j]->place, facts_)) return false;
    }
    return true;
  }

  Loop& loop_;
  const loop_plan& plan_;
  known_facts& facts_;
  SmallVector<const loop_store*, 2> used_;
};

class get_maker {
 public:
  get_maker(Loop& loop, known_facts& facts)
      : before_(*loop.getLoopPreheader()->getTerminator()),
        expander_(facts.evolution, before_.getModule()->getDataLayout(), "comm"),
        builder_(&before_),
        wide_(builder_.getInt64Ty()) {}

  void count_rounds(const SCEV& taken, ScalarEvolution& evolution) {
    auto* less_one = expand(*evolution.getTruncateOrZeroExtend(&taken, wide_));
    rounds_ = builder_.CreateAdd(less_one, builder_.getInt64(1), "rounds");
  }

  void get(const copied_read& one) {
    auto *to = expand(*one.to.start), *from = expand(*one.from->start), *pe = expand(*one.from->pe);
    builder_.SetCurrentDebugLocation(one.call().getDebugLoc());
    if (one.is_dense()) return call("shmem_getmem", {to, from, all_bytes(one.bytes()), pe});
    const auto elements = [&](int64_t step) {
      return builder_.getInt64(static_cast<uint64_t>(step) / one.bytes());
    };
    call("shmem_iget" + std::to_string(8 * one.bytes()),
         {to, from, elements(one.to.step), elements(one.from->step), rounds_, pe});
  }

 private:
  Value* expand(const SCEV& value) {
    auto* made = expander_.expandCodeFor(&value, value.getType(), &before_);
    builder_.SetInsertPoint(&before_);
    return made;
  }

  // Of a loop that would go through more than there is memory, more than the routine takes.
  Value* all_bytes(uint64_t of_a_round) {
    constexpr auto most = std::numeric_limits<uint64_t>::max();
    auto* counts = builder_.CreateICmpULE(rounds_, builder_.getInt64(most / of_a_round));
    return builder_.CreateSelect(counts, builder_.CreateMul(rounds_, builder_.getInt64(of_a_round)),
                                 builder_.getInt64(most));
  }

  void call(const std::string& routine, ArrayRef<Value*> arguments) {
    SmallVector<Type*, 6> types;
    for (const auto* argument : arguments) types.push_back(argument->getType());
    auto* type = FunctionType::get(builder_.getVoidTy(), types, false);
    auto* made = builder_.CreateCall(before_.getModule()->getOrInsertFunction(routine, type), arguments);
    made->setDoesNotThrow();
    set_promise(*made, true);
    mark_whole(*made);
  }

  Instruction& before_;
  SCEVExpander expander_;
  IRBuilder<> builder_;
  Type* wide_;
  Value* rounds_ = nullptr;
};

} // namespace

loop_copy copy_of(Loop& loop, const loop_plan& plan, known_facts& facts) {
  return copy_finder(loop, plan, facts).run();
}

void replace_by_gets(Loop& loop, const loop_plan& plan, const loop_copy& copy, known_facts& facts) {
  get_maker maker(loop, facts);
  maker.count_rounds(*plan.taken, facts.evolution);
  for (const auto& one : copy) maker.get(one);
  deleteDeadLoop(&loop, &facts.dominators, &facts.evolution, &facts.loops);
}

} // namespace windrow::compiler::comm
