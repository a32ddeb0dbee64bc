// SPDX-License-Identifier: BSD-3-Clause
// Where the variables of deferred code live. Code that is not deferred and deferred code must not both use a
// variable that one of them changes; deferred code of several scopes may, since records of one level run in
// order.
#include "compiler/common/analysis/footprints.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/defer/outline/exceptions.hpp"
#include "compiler/defer/plan/context.hpp"
#include "compiler/defer/plan/hazards.hpp"
#include "compiler/defer/plan/plan.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr uint64_t largest_copy_bytes = 64;

class placement {
 public:
  placement(MutableArrayRef<plan*> plans, code& body, const SetVector<BasicBlock*>& region,
            const shape& structure, ArrayRef<WeakVH> others)
      : plans_(plans),
        body_(body),
        region_(region),
        structure_(structure),
        hazards_(plans, body, region, structure, others) {
    for (auto* block : region)
      for (auto& instruction : *block) {
        if (auto* call = dyn_cast<CallBase>(&instruction)) calls_.push_back(call);
        const auto touched = body.effects_of(instruction);
        for (auto* var : touched.reads) accesses_[var].push_back({&instruction, false});
        for (auto* var : touched.writes) accesses_[var].push_back({&instruction, true});
      }
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
    if (one.active()) check_thrown(one, plans_, body_, region_, structure_, hazards_);
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
    if (var.where == storage::reference && var.several_places)
      return refuse_levels(one, var, first_of_record(one)->place());
    if (body_.level > 0 && var.alignment > payload_alignment)
      return one.refuse(one.fetches.front(),
                        "'" + var.name + "' needs an alignment that deferred code cannot give");
    const bool alone = !used_outside(one, var) && !exposed_.contains(&var) &&
                       var.where != storage::reference && !var.escapes_behind;
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
    const auto known = accesses_.find(&var);
    if (known == accesses_.end() || !body_.switches->hold("reachability")) return nullptr;
    for (const auto& [instruction, writes] : known->second)
      if ((writes || !only_writes) && hazards_.stays(*instruction) &&
          (var.where == storage::reference || reachable(one, *instruction)))
        return instruction;
    return nullptr;
  }

  static bool used_outside(const plan& one, const variable& var) {
    SmallVector<const Value*, 8> addresses{var.base};
    while (!addresses.empty())
      for (const auto* user : addresses.pop_back_val()->users()) {
        const auto* instruction = dyn_cast<Instruction>(user);
        if (isa<GetElementPtrInst, BitCastInst>(user))
          addresses.push_back(user);
        else if (!instruction || (!is_commentary(*instruction) && !one.deferred.contains(instruction)))
          return true;
      }
    return false;
  }

  // Code that stays and waits for other PEs, which may wait for what our deferred code has yet to do.
  void check_waits(plan& one) const {
    for (const auto* call : calls_)
      if (body_.known->of(*call).waits == certainty::yes && !completes_deferred_code(callee_name(*call)) &&
          hazards_.stays(*call) && reachable(one, *call))
        return one.refuse(call, "synchronisation call " + told_callee(*call) + " in the region");
  }

  // An exception leaves the function, and what is deferred would come late.
  void check_exceptions(plan& one) const {
    if (body_.level > 0) return;
    for (const auto* call : calls_)
      if (may_unwind(body_, *call) && !call->doesNotReturn() && hazards_.stays(*call) &&
          reachable(one, *call))
        return one.refuse(call, "call " + told_callee(*call) + " in the region may throw");
  }

  // Whether `target` can run after a record of `one` was opened and before all deferred code has run.
  bool reachable(const plan& one, const Instruction& target) const {
    const auto* first = first_of_record(one)->place();
    return first == &target || hazards_.reaches(*first, target);
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
  const shape& structure_;
  hazards hazards_;
  SmallVector<const CallBase*, 16> calls_; // in the region
  DenseMap<const variable*, SmallVector<std::pair<const Instruction*, bool>, 8>>
      accesses_; // and if they write
  SmallPtrSet<variable*, 8> exposed_;
};

} // namespace

void place_variables(MutableArrayRef<plan*> plans, code& body, const SetVector<BasicBlock*>& region,
                     const shape& structure, ArrayRef<WeakVH> others) {
  placement(plans, body, region, structure, others).run();
}

} // namespace windrow::compiler::defer
