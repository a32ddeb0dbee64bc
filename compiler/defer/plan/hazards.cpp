// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/hazards.hpp"

#include "compiler/common/analysis/footprints.hpp"
#include "compiler/common/report/diagnostics.hpp"
#include "compiler/defer/outline/exceptions.hpp"
#include "compiler/defer/plan/context.hpp"

namespace windrow::compiler::defer {

namespace {

bool is_dead_end(const BasicBlock& block) {
  return isa<UnreachableInst>(block.getTerminator());
}

} // namespace

bool only_aborts(const BasicBlock& block) {
  return all_of(block, [](const Instruction& instruction) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    return !call || aborts(*call) || is_commentary(*call) || is_instrumentation(*call);
  });
}

transformed hazards::kept(const BasicBlock* entry) const {
  transformed result{entry, {}, {}};
  for (const auto* one : plans_) {
    if (!one->active()) continue;
    for (const auto* fetch : one->fetches)
      result.fetches.push_back({body_.known->kept(*fetch), callee_name(*fetch).str()});
    for (const auto* deferred : one->deferred) {
      result.nested |= is_fetch(*deferred);
      if (!body_.known->of(*deferred).touches_nothing())
        result.deferred.push_back({body_.known->kept(*deferred), ""});
    }
  }
  return result;
}

// ---- where code stands

bool hazards::is_in_active(const plans_of& plans, const Instruction& instruction) {
  const auto known = plans.find(&instruction);
  return known != plans.end() && any_of(known->second, [](const plan* one) { return one->active(); });
}

bool hazards::stays(const Instruction& instruction) const {
  return !is_in_active(deferring_, instruction);
}

bool hazards::is_issued(const Instruction& instruction) const {
  return is_in_active(issuing_, instruction);
}

const Loop* hazards::innermost_common_loop(const Instruction& one, const Instruction& other) const {
  const auto* loop = structure_.loops.getLoopFor(one.getParent());
  while (loop && !loop->contains(&other)) loop = loop->getParentLoop();
  return loop;
}

// The outermost loop around the plan that the other code is not in.
const Loop* hazards::loop_to_complete(const plan& one, const Instruction& other) const {
  const Loop* outermost = nullptr;
  for (const auto* loop = structure_.loops.getLoopFor(one.start); loop && !loop->contains(&other);
       loop = loop->getParentLoop())
    if (region_.contains(loop->getHeader())) outermost = loop;
  return outermost;
}

// ---- decisions

void hazards::complete_or_refuse(plan& one, const Instruction& other, const std::string& why) const {
  const auto* loop = loop_to_complete(one, other);
  if (!loop || !complete_behind(one, *loop)) one.refuse(&other, why);
}

// False if something is open there.
bool hazards::complete_behind(plan& one, const Loop& loop) const {
  const bool open = any_of(plans_, [&](const plan* around) {
    return around->active() && around != &one && around->surrounds(loop.getHeader());
  });
  if (open || body_.level > 0) return false;
  one.complete_behind.insert(&loop);
  return true;
}

void hazards::check(plan& one) {
  if (body_.level > 0) return check_at_other_levels(one);
  const auto* first = first_of_record(one)->place();
  check_dead_ends(one);
  for (auto* block : region_) {
    if (is_dead_end(*block)) continue;
    for (const auto& other : *block) {
      if (!one.active()) return;
      const auto& print = body_.known->of(other);
      if (print.touches_nothing() || !stays(other) || completes_deferred_code(callee_name(other))) continue;
      const auto* call = dyn_cast<CallBase>(&other);
      if (call && call->doesNotReturn()) continue;
      if (auto why = seen_by(one, other); !why.empty() && reaches(*first, other)) {
        complete_or_refuse(one, other, why);
        continue;
      }
      if (print.accesses.empty() && !print.sets_errno) continue;
      const auto conflicts = [&](const Instruction& pending) {
        const auto* loop = innermost_common_loop(pending, other);
        const bool apart = loop_to_complete(one, other) != nullptr;
        const bool around = loop && !apart && is_fetch(other) && !reaches(pending, other, loop->getHeader());
        if (&pending == &other ||
            !meets(one, pending, other, around ? position::around_loop : position::ahead) ||
            !reaches(pending, other))
          return false;
        const auto* rounds = loop_of_same_rounds(pending, other);
        if (!rounds && around) rounds = loop_between_meetings(pending, other);
        if (rounds && reach_.is_entered_again(*rounds)) return !complete_behind(one, *rounds);
        return !rounds;
      };
      if (body_.switches->hold("fetch-order") &&
          any_of(one.fetches, [&](const CallInst* fetch) { return conflicts(*fetch); }))
        complete_or_refuse(one, other,
                           "the object that it fetches from is also used by code of the region that "
                           "is not deferred, and one of them changes it");
      else if (body_.switches->hold("origins") &&
               any_of(one.deferred, [&](const Instruction* deferred) { return conflicts(*deferred); }))
        complete_or_refuse(one, other,
                           is_fetch(other)
                               ? "a later fetch reads what dependent code writes, or changes what it uses"
                               : "memory written by deferred code is accessed by code of the region that is "
                                 "not deferred (or the reverse)");
    }
  }
}

// By the plan's dependent code.
bool hazards::reads_what_is_written(const plan& one, BasicBlock& block) const {
  return any_of(block, [&](Instruction& instruction) {
    const auto touched = body_.effects_of(instruction);
    return any_of(one.writes, [&](variable* var) { return touched.touch(var); }) ||
           any_of(one.deferred, [&](const Instruction* pending) {
             return meets(one, *pending, instruction, position::ahead);
           });
  });
}

// Ways out that do not come back: a throw, exit, longjmp; a failed assertion, if there is output that comes
// before, or what it says is computed by dependent code.
void hazards::check_dead_ends(plan& one) const {
  const auto* first = first_of_record(one)->place();
  footprint end;
  end.ends = true;
  const bool abort_is_seen = body_.switches->hold("output") && is_seen_behind(one, end);
  for (auto* block : region_) {
    const auto sees_nothing = [&] {
      return only_aborts(*block) && !abort_is_seen && !reads_what_is_written(one, *block);
    };
    if (!is_dead_end(*block) || sees_nothing() || !stays(block->front()) ||
        !reaches(*first, block->front()) || !body_.switches->hold("dead-ends"))
      continue;
    if (any_of(plans_, [&](const plan* around) { return around->active() && around->is_open_in(block); }))
      return one.refuse(&block->front(),
                        "code between the fetch and the code that uses it does not come back");
    one.complete_in.insert(block);
  }
}

// Code of other levels runs before and after ours, in any order.
void hazards::check_at_other_levels(plan& one) {
  if (!body_.switches->hold("levels")) return;
  for (const auto& handle : others_) {
    const auto* other = dyn_cast_or_null<Instruction>(static_cast<Value*>(handle));
    if (!other || one.deferred.contains(other) || !stays(*other)) continue;
    const auto& print = body_.known->of(*other);
    const bool output = is_seen_behind(one, print);
    const auto meets_it = [&](const Instruction* pending) {
      return meets(one, *pending, *other, position::other_level);
    };
    if (output || any_of(one.fetches, meets_it) || any_of(one.deferred, meets_it))
      return one.refuse(other,
                        output ? "effects outside of memory at two nesting levels of deferred code"
                               : "memory is accessed at two nesting levels of deferred code, and one of them "
                                 "writes it");
  }
}

std::string hazards::behind(const Instruction& instruction) const {
  const auto& print = body_.known->of(instruction);
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (call && call->doesNotReturn() && !aborts(*call) && body_.switches->hold("dead-ends"))
    return told_callee(*call) + " does not come back" + at_line(instruction);
  if (call && has_hidden_handler(*call) && print.throws)
    return told_callee(*call) + " may throw" + at_line(instruction);
  for (const auto& region : body_.before)
    if (&region.entry->front() == &instruction)
      if (auto why = seen_by_earlier(region); !why.empty()) return why;
  if (print.touches_nothing()) return "";
  // Come to again, around a loop: what stays there has been looked at, and what is deferred keeps its order.
  const bool again = region_.contains(const_cast<BasicBlock*>(instruction.getParent()));
  if (again && !is_issued(instruction)) return "";
  for (const auto* one : plans_) {
    if (!one->active()) continue;
    if (again && is_on_other_context(*one, print))
      return "the context may be another one when the statement is come to again";
    if (auto why = again ? "" : seen_by(*one, instruction); !why.empty()) return why + at_line(instruction);
    if (!again && tells_others(*one, instruction))
      return "another PE may learn by the update" + at_line(instruction) + " that it has run";
    const auto meets_it = [&](const Instruction* pending) {
      const auto where = again ? position::come_to_again : position::behind_region;
      if (!meets(*one, *pending, instruction, where)) return false;
      const auto* rounds = loop_of_same_rounds(*pending, instruction);
      return !rounds || (reach_.is_entered_again(*rounds) && !one->complete_behind.contains(rounds));
    };
    if (body_.switches->hold("origins") &&
        ((!again && any_of(one->fetches, meets_it)) || any_of(one->deferred, meets_it)))
      return "memory that it uses is used" + at_line(instruction) + " before any quiet";
  }
  return "";
}

} // namespace windrow::compiler::defer
