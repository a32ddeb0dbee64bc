// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/prepare/conditional_fetches.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/common/api/calls.hpp"
#include "compiler/common/api/routines.hpp"
#include "compiler/defer/plan/context.hpp"
#include "compiler/defer/plan/scope.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr unsigned most_fetches_looked_at = 100; // each change looks at all of the statement again

struct pair_of_fetches {
  CallInst *conditional, *other;
};

bool is_simple_read(const CallInst& fetch) {
  return is_scalar_fetch(fetch) && only_reads(fetch);
}

/// What a value is computed from, variables included: without regard to where they are written.
class sources {
 public:
  /// Whether a fetch is among them.
  bool fetch_for(const Value& value) {
    const auto* instruction = dyn_cast<Instruction>(&value);
    if (!instruction || !seen_.insert(instruction).second) return false;
    if (is_fetch(*instruction)) return true;
    if (const auto* load = dyn_cast<LoadInst>(instruction))
      if (const auto* variable = dyn_cast<AllocaInst>(load->getPointerOperand()->stripInBoundsOffsets()))
        return written_by_fetch(*variable);
    return any_of(instruction->operand_values(), [&](const Value* operand) { return fetch_for(*operand); });
  }

 private:
  bool written_by_fetch(const Value& address) {
    return any_of(address.users(), [&](const User* user) {
      if (const auto* store = dyn_cast<StoreInst>(user)) return fetch_for(*store->getValueOperand());
      return isa<GetElementPtrInst, CastInst>(user) && written_by_fetch(*user);
    });
  }

  SmallPtrSet<const Value*, 16> seen_;
};

bool depends_on_fetch(const Value& value) {
  return sources().fetch_for(value);
}

bool has_fetched_arguments(const CallInst& fetch) {
  return any_of(fetch.args(), [](const Use& argument) { return depends_on_fetch(*argument); });
}

// The condition that the fetch stands behind, if its block is an arm of one.
const BranchInst* condition_of(const CallInst& fetch) {
  const auto* before = fetch.getParent()->getSinglePredecessor();
  const auto* way = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  const bool is_one = way && way->isConditional() && way->getSuccessor(0) != way->getSuccessor(1);
  return is_one ? way : nullptr;
}

// Behind the condition, by a variable that the arm writes.
bool is_used_behind(const CallInst& fetch) {
  const auto* arm = fetch.getParent();
  return any_of(*arm, [&](const Instruction& instruction) {
    const auto* store = dyn_cast<StoreInst>(&instruction);
    const auto* variable = store ? dyn_cast<AllocaInst>(store->getPointerOperand()) : nullptr;
    return variable && depends_on_fetch(*store->getValueOperand()) &&
           any_of(variable->users(), [&](const User* user) {
             return isa<LoadInst>(user) && cast<Instruction>(user)->getParent() != arm;
           });
  });
}

// What the other one fetches: it is as large, hence as aligned.
bool may_read_place_of(const CallInst& fetch, const CallInst& other) {
  const auto& layout = fetch.getModule()->getDataLayout();
  return layout.getTypeStoreSize(fetch.getType()) <= layout.getTypeStoreSize(other.getType());
}

// Fetches of one statement, and what it writes.
class finder {
 public:
  finder(Function& function, BasicBlock* entry, footprints& known)
      : structure_(function), entry_(entry), known_(known) {
    for (auto& block : function)
      if (structure_.dominators.isReachableFromEntry(&block) &&
          structure_.dominators.dominates(entry, &block))
        add(block);
  }

  std::optional<pair_of_fetches> find() const {
    if (fetches_.size() > most_fetches_looked_at) return std::nullopt;
    for (auto* fetch : fetches_)
      if (may_be_unconditional(*fetch))
        if (auto* other = partner_of(*fetch)) return pair_of_fetches{fetch, other};
    return std::nullopt;
  }

 private:
  void add(BasicBlock& block) {
    region_.insert(&block);
    for (auto& instruction : block) {
      if (is_fetch(instruction)) fetches_.push_back(cast<CallInst>(&instruction));
      if (any_of(known_.of(instruction).accesses, [](const access& one) { return one.writes; }))
        writers_.push_back(&instruction);
      writes_pointers_ |= may_write_pointer(instruction);
    }
  }

  // In other memory than that of variables: a context is a pointer.
  static bool may_write_pointer(const Instruction& instruction) {
    if (const auto* store = dyn_cast<StoreInst>(&instruction))
      return store->getValueOperand()->getType()->isPointerTy() &&
             !isa<AllocaInst>(store->getPointerOperand()->stripInBoundsOffsets());
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (!call || call->onlyReadsMemory() || is_marker(*call) || is_commentary(*call) ||
        is_instrumentation(*call))
      return false;
    const auto access = access_of(*call);
    return !access || (*access)->takes(role::local);
  }

  BasicBlock* scope_of(const CallInst& fetch) const {
    return start_of_scope(const_cast<BasicBlock*>(fetch.getParent()), entry_, structure_);
  }

  bool may_be_unconditional(const CallInst& fetch) const {
    const auto* arm = fetch.getParent();
    const auto* way = condition_of(fetch);
    return way && arm != entry_ && is_simple_read(fetch) &&
           structure_.loops.getLoopFor(arm) == structure_.loops.getLoopFor(way->getParent()) &&
           is_used_behind(fetch) && !depends_on_fetch(*way->getCondition()) &&
           !has_fetched_arguments(fetch) && !is_written(fetch);
  }

  // A fetch of the scope around the condition, in front of it. With more fetches than are stored in place
  // their record takes calls; without, they would not be deferred.
  CallInst* partner_of(const CallInst& fetch) const {
    const auto* way = condition_of(fetch);
    auto* scope = start_of_scope(const_cast<BasicBlock*>(way->getParent()), entry_, structure_);
    const auto found = find_if(fetches_, [&](const CallInst* other) {
      return scope_of(*other) == scope && structure_.dominators.dominates(other, way) &&
             is_partner(*other, fetch);
    });
    return found == fetches_.end() ? nullptr : *found;
  }

  bool is_partner(const CallInst& other, const CallInst& fetch) const {
    return is_simple_read(other) && may_read_place_of(fetch, other) &&
           same_expression(other.getArgOperand(0), fetch.getArgOperand(0)) &&
           is_unchanged(*other.getArgOperand(0)) && !has_fetched_arguments(other) && !is_written(other);
  }

  // By the statement. Where it is, what may be deferred depends on which place it is exactly.
  bool is_written(const CallInst& fetch) const {
    const auto& mine = known_.of(fetch);
    return any_of(writers_, [&](const Instruction* writer) { return conflict(mine, known_.of(*writer)); });
  }

  // A context that is the same wherever in the statement it is computed.
  bool is_unchanged(const Value& context) const {
    const auto* instruction = dyn_cast<Instruction>(&context);
    if (isa<AllocaInst>(context)) return false; // a part of a variable
    if (!instruction || !region_.contains(instruction->getParent())) return true;
    if (isa<GetElementPtrInst, CastInst>(instruction))
      return all_of(instruction->operand_values(),
                    [&](const Value* operand) { return is_unchanged(*operand); });
    const auto* load = dyn_cast<LoadInst>(instruction);
    if (!load) return false;
    const auto* variable = dyn_cast<AllocaInst>(load->getPointerOperand());
    return variable ? is_set_before(*variable)
                    : !writes_pointers_ && is_unchanged(*load->getPointerOperand());
  }

  bool is_set_before(const AllocaInst& variable) const {
    return all_of(variable.users(), [&](const User* user) {
      const auto& use = *cast<Instruction>(user);
      if (isa<LoadInst>(use) || is_commentary(use)) return true;
      const auto* store = dyn_cast<StoreInst>(&use);
      const bool sets =
          (store && store->getValueOperand() != &variable) || is_context_creation(callee_name(use));
      return sets && !region_.contains(use.getParent());
    });
  }

  const shape structure_;
  BasicBlock* entry_;
  footprints& known_;
  SmallPtrSet<const BasicBlock*, 16> region_;
  SmallVector<CallInst*, 8> fetches_;
  SmallVector<const Instruction*, 16> writers_; // of memory
  bool writes_pointers_ = false;
};

// What is computed in front of the fetch and used behind it is kept in variables.
void keep_values(BasicBlock& front) {
  SmallVector<Instruction*, 8> used;
  for (auto& instruction : front)
    if (!isa<AllocaInst>(instruction) && instruction.isUsedOutsideOfBlock(&front))
      used.push_back(&instruction);
  for (auto* instruction : used) DemoteRegToStack(*instruction);
}

// In `middle`: the fetch, of the other's place where the condition does not hold.
CallInst& fetch_either(const pair_of_fetches& both, BasicBlock& before, BasicBlock& front,
                       IRBuilder<>& builder) {
  const auto& fetch = *both.conditional;
  SmallVector<Value*, 3> arguments{both.other->getArgOperand(0)};
  for (unsigned i = 1; i < fetch.arg_size(); ++i) {
    auto* chosen = builder.CreatePHI(fetch.getArgOperand(i)->getType(), 2);
    chosen->addIncoming(both.other->getArgOperand(i), &before);
    chosen->addIncoming(fetch.getArgOperand(i), &front);
    arguments.push_back(chosen);
  }
  auto* made = cast<CallInst>(fetch.clone());
  for (unsigned i = 0; i < fetch.arg_size(); ++i) made->setArgOperand(i, arguments[i]);
  return *builder.Insert(made);
}

// before: if (c) front; middle: fetch; if (c) behind; otherwise
void make_unconditional(const pair_of_fetches& both) {
  auto& fetch = *both.conditional;
  auto* front = fetch.getParent();
  auto* before = front->getSinglePredecessor();
  auto* way = cast<BranchInst>(before->getTerminator());
  auto* otherwise = way->getSuccessor(way->getSuccessor(0) == front ? 1 : 0);
  auto* behind = SplitBlock(front, &fetch);
  auto* middle = BasicBlock::Create(front->getContext(), "fetch", front->getParent(), behind);
  IRBuilder<> builder(middle);
  builder.SetCurrentDebugLocation(fetch.getDebugLoc());
  auto& made = fetch_either(both, *before, *front, builder);
  auto* again = cast<BranchInst>(way->clone());
  builder.Insert(again);
  fetch.replaceAllUsesWith(&made);
  fetch.eraseFromParent();
  way->replaceSuccessorWith(otherwise, middle);
  again->replaceSuccessorWith(front, behind);
  otherwise->replacePhiUsesWith(before, middle);
  front->getTerminator()->replaceSuccessorWith(behind, middle);
  keep_values(*front);
}

} // namespace

void make_unconditional(Function& function, const marker& mark, footprints& known) {
  if (!mark.branch) return;
  while (const auto found = finder(function, mark.entry(), known).find()) make_unconditional(*found);
}

} // namespace windrow::compiler::defer
