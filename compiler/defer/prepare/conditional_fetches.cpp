// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/prepare/conditional_fetches.hpp"

#include <optional>

#include "compiler/common/api/calls.hpp"
#include "compiler/common/api/routines.hpp"
#include "compiler/defer/plan/context.hpp"
#include "compiler/defer/plan/scope.hpp"
#include "compiler/defer/prepare/arms.hpp"
#include "compiler/defer/prepare/spare_place.hpp"
#include "compiler/inlined/contract.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr unsigned most_fetches_looked_at = 100; // each change looks at all of the statement again

struct change {
  CallInst *fetch, *other; // the other one is null: the spare place
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

// By which the value leaves its arm.
SmallVector<const AllocaInst*, 2> variables_of(const CallInst& fetch) {
  SmallVector<const AllocaInst*, 2> found;
  for (const auto& instruction : *fetch.getParent()) {
    const auto* store = dyn_cast<StoreInst>(&instruction);
    const auto* variable = store ? dyn_cast<AllocaInst>(store->getPointerOperand()) : nullptr;
    if (variable && depends_on_fetch(*store->getValueOperand())) found.push_back(variable);
  }
  return found;
}

bool is_used_behind(const CallInst& fetch) {
  return any_of(variables_of(fetch), [&](const AllocaInst* variable) {
    return any_of(variable->users(), [&](const User* user) {
      return isa<LoadInst>(user) && cast<Instruction>(user)->getParent() != fetch.getParent();
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
  finder(Function& function, BasicBlock* entry, footprints& known, const rules& switches)
      : structure_(function), entry_(entry), known_(known), switches_(switches) {
    for (auto& block : function)
      if (structure_.dominators.isReachableFromEntry(&block) &&
          structure_.dominators.dominates(entry, &block))
        add(block);
  }

  std::optional<change> find(bool spare) const {
    if (fetches_.size() > most_fetches_looked_at) return std::nullopt;
    for (auto* fetch : fetches_)
      if (may_be_unconditional(*fetch)) {
        if (auto* other = partner_of(*fetch)) return change{fetch, other};
        if (spare && pays_alone(*fetch)) return change{fetch, nullptr};
      }
    return std::nullopt;
  }

  /// All on the context of that one, which is the same in the whole statement.
  SmallVector<CallInst*, 8> on_context_of(const CallInst& fetch) const {
    SmallVector<CallInst*, 8> found;
    copy_if(fetches_, std::back_inserter(found), [&](const CallInst* other) {
      return same_expression(other->getArgOperand(0), fetch.getArgOperand(0));
    });
    return found;
  }

  bool is_inside(const Instruction& instruction) const { return region_.contains(instruction.getParent()); }

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

  BasicBlock* scope_of(const Instruction& instruction) const {
    return start_of_scope(const_cast<BasicBlock*>(instruction.getParent()), entry_, structure_);
  }

  // Each is compared with all others beside it.
  static bool asked_once(DenseMap<const CallInst*, bool>& known, const CallInst& fetch,
                         function_ref<bool()> answer) {
    const auto [found, fresh] = known.try_emplace(&fetch, false);
    if (fresh) found->second = answer();
    return found->second;
  }

  bool may_be_unconditional(const CallInst& fetch) const {
    return asked_once(unconditional_, fetch, [&] { return is_read_on_condition(fetch); });
  }

  bool is_read_on_condition(const CallInst& fetch) const {
    const auto* block = fetch.getParent();
    const auto around = arm_of(fetch, entry_);
    const auto in_same_loop = [&](const BasicBlock* other) {
      return structure_.loops.getLoopFor(block) == structure_.loops.getLoopFor(other);
    };
    return !around.ways.empty() && is_simple_read(fetch) && in_same_loop(around.otherwise) &&
           all_of(around.ways,
                  [&](const BranchInst* way) {
                    return in_same_loop(way->getParent()) && !depends_on_fetch(*way->getCondition());
                  }) &&
           is_used_behind(fetch) && !has_fetched_arguments(fetch) && !is_written(fetch);
  }

  // A fetch of the scope around the condition, in front of it. With more fetches than are stored in place
  // their record takes calls; without, they would not be deferred.
  CallInst* partner_of(const CallInst& fetch) const {
    const auto* way = arm_of(fetch, entry_).ways.back();
    const auto* scope = scope_of(*way);
    const auto found = find_if(fetches_, [&](const CallInst* other) {
      return scope_of(*other) == scope && structure_.dominators.dominates(other, way) &&
             is_partner(*other, fetch);
    });
    return found == fetches_.end() ? nullptr : *found;
  }

  // If it is not made, code behind the condition takes records all the same, which wait for their turn only.
  bool pays_alone(const CallInst& fetch) const {
    return may_be_alone(fetch) &&
           (has_fetch(scope_around(fetch)) || count_if(fetches_, [&](const auto* other) {
                                                return may_be_unconditional(*other) && may_be_alone(*other) &&
                                                       scope_around(*other) == scope_around(fetch);
                                              }) <= contract::most_fetches);
  }

  bool may_be_alone(const CallInst& fetch) const {
    return asked_once(alone_, fetch, [&] { return has_early_context(fetch) && is_used_in_turn(fetch); });
  }

  bool has_early_context(const CallInst& fetch) const {
    const auto& context = *fetch.getArgOperand(0);
    return is_unchanged(context) &&
           (!switches_.hold("early-contexts") ||
            available_in_front(context, [&](const Instruction& one) { return is_inside(one); }));
  }

  const BasicBlock* scope_around(const CallInst& fetch) const {
    return scope_of(*arm_of(fetch, entry_).ways.back());
  }

  bool has_fetch(const BasicBlock* scope) const {
    return any_of(fetches_, [&](const CallInst* other) { return scope_of(*other) == scope; });
  }

  // The variable is read in the scope around the condition, by code that does not fetch.
  bool is_used_in_turn(const CallInst& fetch) const {
    const auto* scope = scope_around(fetch);
    return any_of(variables_of(fetch), [&](const AllocaInst* variable) {
      return any_of(variable->users(), [&](const User* user) {
        const auto* load = dyn_cast<LoadInst>(user);
        return load && load->getParent() != fetch.getParent() && is_inside(*load) &&
               is_part_of(*load->getParent(), scope);
      });
    });
  }

  // Itself, or by arms without fetches.
  bool is_part_of(const BasicBlock& block, const BasicBlock* scope) const {
    const auto* at = &block;
    const auto* loop = structure_.loops.getLoopFor(at);
    while (true) {
      const auto* start = start_of_scope(const_cast<BasicBlock*>(at), entry_, structure_);
      if (start == scope) return true;
      const auto* before = start == entry_ ? nullptr : start->getSinglePredecessor();
      if (!before || structure_.loops.getLoopFor(before) != loop ||
          any_of(fetches_, [&](const CallInst* one) {
            return structure_.dominators.dominates(start, one->getParent());
          }))
        return false;
      at = before;
    }
  }

  bool is_partner(const CallInst& other, const CallInst& fetch) const {
    return is_simple_read(other) && may_read_place_of(fetch, other) &&
           same_expression(other.getArgOperand(0), fetch.getArgOperand(0)) &&
           is_unchanged(*other.getArgOperand(0)) && !has_fetched_arguments(other) && !is_written(other);
  }

  // By the statement. Where it is, what may be deferred depends on which place it is exactly.
  bool is_written(const CallInst& fetch) const {
    const auto& mine = known_.of(fetch);
    if (!switches_.hold("unwritten")) return false;
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
  const rules& switches_;
  SmallPtrSet<const BasicBlock*, 16> region_;
  SmallVector<CallInst*, 8> fetches_;
  SmallVector<const Instruction*, 16> writers_; // of memory
  bool writes_pointers_ = false;
  mutable DenseMap<const CallInst*, bool> unconditional_, alone_;
};

} // namespace

unsigned make_unconditional(Function& function, const marker& mark, footprints& known, const rules& switches,
                            bool spare) {
  unsigned alone = 0;
  if (!mark.branch) return alone;
  DenseMap<const Value*, spare_place> places; // of contexts
  for (;;) {
    const finder in_statement(function, mark.entry(), known, switches);
    const auto found = in_statement.find(spare);
    if (!found) return alone;
    auto* context = found->fetch->getArgOperand(0);
    if (found->other) {
      join_arm(*found->fetch, mark.entry(),
               {found->other->getArgOperand(0), found->other->getArgOperand(1),
                found->other->getArgOperand(2), nullptr});
      continue;
    }
    if (!places.count(context)) {
      const auto on_it = in_statement.on_context_of(*found->fetch);
      const auto place = find_spare_place(
          mark, *context, [&](const Instruction& one) { return in_statement.is_inside(one); }, switches);
      for (auto* fetch : on_it) fetch->setArgOperand(0, place.context);
      context = place.context;
      places[context] = place;
    }
    const auto& place = places[context];
    join_arm(*found->fetch, mark.entry(), {context, place.word, place.pe, place.no_pe});
    ++alone;
  }
}

} // namespace windrow::compiler::defer
