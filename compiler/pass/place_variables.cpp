// SPDX-License-Identifier: BSD-3-Clause
// Where the variables of deferred code live. Code that is not deferred and deferred code must not both use a
// variable that one of them changes; deferred code of several scopes may, since records of one level run in
// order.
#include "compiler/pass/calls.hpp"
#include "compiler/pass/context.hpp"
#include "compiler/pass/footprints.hpp"
#include "compiler/pass/hazards.hpp"
#include "compiler/pass/plan.hpp"

namespace windrow::defer {

namespace {

constexpr uint64_t largest_copy_bytes = 64;
const Align payload_alignment(16); // what the runtime gives

class placement {
 public:
  placement(MutableArrayRef<plan*> plans, code& body, const SetVector<BasicBlock*>& region,
            const shape& structure, ArrayRef<WeakVH> others)
      : plans_(plans), body_(body), region_(region), hazards_(plans, body, region, structure, others) {
    for (auto& instruction : instructions(*body.function))
      touched_[&instruction] = body.effects_of(instruction);
  }

  // A plan that is refused leaves its accesses to the code that is not deferred, so the others are looked at
  // again.
  void run() {
    for (bool again = true; again;) {
      again = false;
      for (auto* one : plans_)
        if (one->active()) {
          place(*one);
          again |= !one->active();
        }
    }
    mark_shared();
  }

 private:
  void place(plan& one) {
    one.by_value.clear();
    one.in_private.clear();
    one.by_reference.clear();
    one.complete_behind.clear();
    one.complete_in.clear();
    check_waits(one);
    exposed_ = upward_exposed(one, body_.vars);
    SmallSetVector<variable*, 16> all;
    all.insert(one.reads.begin(), one.reads.end());
    all.insert(one.writes.begin(), one.writes.end());
    for (auto* var : all)
      if (one.active()) one.writes.contains(var) ? place_written(one, *var) : place_read(one, *var);
    if (one.active()) check_exceptions(one);
    if (one.active()) hazards_.check(one);
  }

  void place_read(plan& one, variable& var) {
    if (!written_elsewhere(one, var)) {
      const auto bytes = body_.function->getParent()->getDataLayout().getTypeAllocSize(var.type);
      if (bytes <= largest_copy_bytes && var.alignment <= payload_alignment)
        return void(one.by_value.insert(&var));
    }
    if (const auto* nested = nested_use(one, var)) return refuse_levels(one, var, nested);
    if (const auto* write = staying_access(one, var, true))
      return one.refuse(write,
                        "large local '" + var.name + "' is read by deferred code and modified in the region");
    one.by_reference.insert(&var);
  }

  void place_written(plan& one, variable& var) {
    if (const auto* nested = nested_use(one, var)) return refuse_levels(one, var, nested);
    if (const auto* access = staying_access(one, var, false)) {
      one.conflict = &var;
      return one.refuse(
          access, "'" + var.name +
                      "' is updated by deferred code but is also accessed by code of the region that is "
                      "not deferred (loop-carried dependence, loop control or use before quiet)");
    }
    if (body_.level > 0 && var.several_places) return refuse_levels(one, var, first_of_record(one)->place());
    if (body_.level > 0 && var.alignment > payload_alignment)
      return one.refuse(one.fetches.front(),
                        "'" + var.name + "' needs an alignment that deferred code cannot give");
    const bool alone = !used_outside(one, var) && !exposed_.contains(&var) && var.where != storage::reference;
    (alone ? one.in_private : one.by_reference).insert(&var);
  }

  static void refuse_levels(plan& one, const variable& var, const Instruction* where) {
    one.refuse(where, "'" + var.name + "' is accessed at two nesting levels of deferred code");
  }

  bool written_elsewhere(const plan& one, variable& var) const {
    return any_of(plans_, [&](const plan* other) {
      return other != &one && other->active() && other->writes.contains(&var);
    });
  }

  // A use in deferred code of a scope inside this one, or around it.
  const Instruction* nested_use(const plan& one, variable& var) const {
    for (const auto* other : plans_)
      if (other != &one && other->active() && (other->reads.contains(&var) || other->writes.contains(&var)) &&
          (one.contains(other->start) || other->contains(one.start)))
        return first_of_record(*other)->place();
    return nullptr;
  }

  // An access by code of the region that is not deferred and that can run while our record waits.
  const Instruction* staying_access(const plan& one, variable& var, bool only_writes) const {
    for (const auto& [instruction, touched] : touched_)
      if (only_writes ? touched.writes.contains(&var) : touched.touch(&var))
        if (stays(*instruction) && region_.contains(const_cast<BasicBlock*>(instruction->getParent())) &&
            body_.switches->hold("reachability") &&
            (var.where == storage::reference || reachable(one, *instruction)))
          return instruction;
    return nullptr;
  }

  bool used_outside(const plan& one, variable& var) const {
    return any_of(touched_, [&](const auto& entry) {
      return entry.second.touch(&var) && !one.deferred.contains(entry.first);
    });
  }

  bool stays(const Instruction& instruction) const {
    return none_of(plans_,
                   [&](const plan* one) { return one->active() && one->deferred.contains(&instruction); });
  }

  // Code that stays and waits for other PEs, which may wait for what our deferred code has yet to do.
  void check_waits(plan& one) const {
    for (const auto& [instruction, touched] : touched_) {
      const auto* call = dyn_cast<CallBase>(instruction);
      if (!call || completes_deferred_code(callee_name(*call)) ||
          !region_.contains(const_cast<BasicBlock*>(call->getParent())) || !stays(*call))
        continue;
      if (body_.known->of(*call).waits == certainty::yes && reachable(one, *call))
        return one.refuse(call, "synchronisation call '" + callee_name(*call) + "' in the region");
    }
  }

  // An exception leaves the function, and what is deferred would come late.
  void check_exceptions(plan& one) const {
    if (body_.level > 0 || body_.function->doesNotThrow()) return;
    for (const auto& [instruction, touched] : touched_) {
      const auto* call = dyn_cast<CallBase>(instruction);
      if (call && stays(*call) && region_.contains(const_cast<BasicBlock*>(call->getParent())) &&
          body_.known->of(*call).throws && !call->doesNotReturn() && reachable(one, *call))
        return one.refuse(call, "call '" + callee_name(*call) + "' in the region may throw");
    }
  }

  // Whether `target` can run after a record of `one` was opened and before all deferred code has run.
  static bool reachable(const plan& one, const Instruction& target) {
    SmallPtrSet<const BasicBlock*, 16> seen;
    SmallVector<const BasicBlock*, 8> open;
    const auto* first = first_of_record(one)->place();
    if (scan(first->getIterator(), *first->getParent(), target, open)) return true;
    while (!open.empty()) {
      const auto* block = open.pop_back_val();
      if (seen.insert(block).second && scan(block->begin(), *block, target, open)) return true;
    }
    return false;
  }

  // Follows a block to its end or to the first call that completes deferred code.
  static bool scan(BasicBlock::const_iterator from, const BasicBlock& block, const Instruction& target,
                   SmallVectorImpl<const BasicBlock*>& open) {
    for (const auto& instruction : make_range(from, block.end())) {
      if (&instruction == &target) return true;
      if (completes_deferred_code(callee_name(instruction))) return false;
    }
    append_range(open, successors(&block));
    return false;
  }

  void mark_shared() {
    for (const auto* one : plans_)
      if (one->active())
        for (auto* var : one->by_reference)
          for (const auto* other : plans_)
            if (other != one && other->active() &&
                (other->reads.contains(var) || other->writes.contains(var)))
              var->several_places = true;
  }

  MutableArrayRef<plan*> plans_;
  code& body_;
  const SetVector<BasicBlock*>& region_;
  hazards hazards_;
  MapVector<const Instruction*, effects> touched_;
  SmallPtrSet<variable*, 8> exposed_;
};

} // namespace

void place_variables(MutableArrayRef<plan*> plans, code& body, const SetVector<BasicBlock*>& region,
                     const shape& structure, ArrayRef<WeakVH> others) {
  placement(plans, body, region, structure, others).run();
}

} // namespace windrow::defer
