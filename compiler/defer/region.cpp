// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/region.hpp"

#include "compiler/common/analysis/footprints.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/defer/outline/exceptions.hpp"
#include "compiler/defer/outline/promise.hpp"
#include "compiler/defer/plan/fusion.hpp"
#include "compiler/defer/plan/hazards.hpp"
#include "compiler/defer/plan/keep_order.hpp"
#include "compiler/defer/prepare/vectorise.hpp"
#include "compiler/defer/refusals.hpp"

namespace windrow::compiler::defer {

namespace {

using blocks = SetVector<BasicBlock*>;

SmallVector<Instruction*, 8> fetches_of(const blocks& region) {
  SmallVector<Instruction*, 8> found;
  for (auto* block : region)
    for (auto& instruction : *block)
      if (is_fetch(instruction)) found.push_back(&instruction);
  return found;
}

// For messages that have no line: only the annotation knows it without -g.
std::string line_of_directive(const marker& mark) {
  return mark.annotation->getDebugLoc() ? "" : " at line " + std::to_string(mark.line);
}

class region_worker {
 public:
  region_worker(const marker& mark, FunctionAnalysisManager& analyses, callbacks& made, diagnostics& told)
      : mark_(mark), analyses_(analyses), made_(made), told_(told) {}

  // The scopes of `body` in the region, then those of the callbacks made of them.
  void work(code& body, BasicBlock* entry, blocks region) {
    known_.clear();
    enclosing_.clear();
    find_writers(body, region);
    separate_joins(*body.function, entry, region);
    if (body.vectorise) vectorise_loops(body, mark_, entry, region, analyses_, told_);
    const shape structure(*body.function);
    const memory_oracle memory(*body.function, analyses_);
    auto plans = find_plans(body, entry, region, structure);
    auto active = choose(plans, body, structure, memory);
    place_variables(active, body, region, structure, elsewhere_);
    order_keeper order(body, entry, region, structure, memory);
    while (order.extend(active)) place_variables(active, body, region, structure, elsewhere_);
    report_strays(active, region);
    const bool any_behind_fetch =
        any_of(active, [](const plan* one) { return one->active() && !one->fetches.empty(); });
    if (body.level == 0 && any_behind_fetch) {
      left.throws = any_of(active, [&](const plan* one) { return may_unwind(body, *one); });
      find_completions(active, body, region, structure, entry);
      for (const auto* one : active) add_elsewhere(*one, body);
      body.checks->watch(active, body, entry, region, left.completions);
    }
    const auto in_turn = find_in_turn(active, body);
    SmallVector<code*, 4> inner;
    for (const auto* one : active) // while what stands in the way of each is where it was
      if (!one->active()) report(*one);
    for (auto* one : active)
      if (one->active() && any_behind_fetch) // otherwise there is nothing whose order is to be kept
        defer(*one, body, region, structure, memory, !in_turn.contains(one), inner);
    for (auto* callback : inner) work_inside(*callback);
  }

  region_left left;

 private:
  static void find_writers(code& body, const blocks& region) {
    body.writers.clear();
    for (auto* block : region)
      for (auto& instruction : *block)
        if (any_of(body.known->of(instruction).accesses, [](const access& one) { return one.writes; }))
          body.writers.emplace_back(&instruction);
  }

  // Before anything is moved.
  void find_completions(ArrayRef<plan*> active, code& body, const blocks& region, const shape& structure,
                        BasicBlock* entry) {
    const hazards seen(active, body, region, structure, {});
    left.waits = mark_.wait && body.switches->hold("returns");
    left.completions = left.throws ? ways_out(entry) : completions_behind(body, entry, left.waits, seen);
    body.before.push_back(seen.kept(entry));
    for (const auto* one : active) {
      if (!one->active()) continue;
      for (const auto* loop : one->complete_behind) complete_behind(*loop, region);
      for (auto* block : one->complete_in)
        left.completions.push_back({nullptr, block, "the function is left in the region"});
    }
  }

  void complete_behind(const Loop& loop, const blocks& region) {
    SmallVector<Loop::Edge, 4> edges;
    loop.getExitEdges(edges);
    for (const auto& [from, to] : edges)
      if (!isa<UnreachableInst>(to->getTerminator()) || !region.contains(const_cast<BasicBlock*>(to)))
        left.completions.push_back(
            {const_cast<BasicBlock*>(from), const_cast<BasicBlock*>(to),
             "what stands behind a loop in the region uses the same memory, or may see "
             "what is deferred"});
  }

  void add_elsewhere(const plan& one, const code& body) {
    if (!one.active()) return;
    for (const auto& part : one.scope.units)
      if (part.deferred)
        part.for_each([&](Instruction& instruction) {
          if (!body.known->of(instruction).touches_nothing()) elsewhere_.emplace_back(&instruction);
        });
  }

  // Outer scopes first.
  std::vector<std::unique_ptr<plan>> find_plans(code& body, BasicBlock* entry, const blocks& region,
                                                const shape& structure) {
    std::vector<std::unique_ptr<plan>> plans;
    SmallPtrSet<BasicBlock*, 8> known;
    for (auto* fetch : fetches_of(region)) {
      auto* start = start_of_scope(fetch->getParent(), entry, structure);
      if (!known.insert(start).second) continue;
      auto depth = [&](const BasicBlock* block) { return structure.dominators.getNode(block)->getLevel(); };
      const auto place = upper_bound(plans, depth(start), [&](unsigned level, const auto& other) {
        return level < depth(other->start);
      });
      auto& added = **plans.insert(place, std::make_unique<plan>());
      added.start = start;
      added.scope = units_of_scope(start, region, structure, body.vars);
    }
    return plans;
  }

  // What outer scopes defer as a whole is looked at again inside their callbacks.
  SmallVector<plan*, 8> choose(const std::vector<std::unique_ptr<plan>>& plans, code& body,
                               const shape& structure, const memory_oracle& memory) {
    SmallVector<plan*, 8> active;
    for (const auto& one : plans) {
      const auto outer = find_if(active, [&](const plan* other) { return other->defers(one->start); });
      const bool is_inner = outer != active.end();
      for (const auto& part : one->scope.units) {
        if (part.fetch && is_inner) enclosing_[part.instruction] = *outer;
        if (part.fetch && !is_inner) known_.insert(part.instruction);
      }
      if (is_inner) continue;
      decide_scope(*one, body, structure, memory);
      if (one->active())
        active.push_back(one.get());
      else
        report(*one);
    }
    return active;
  }

  // Fetches that no scope could take in, or that only code of a scope makes which is refused after all.
  void report_strays(ArrayRef<plan*> active, const blocks& region) {
    for (const auto* fetch : fetches_of(region))
      if (!known_.contains(fetch) &&
          none_of(active, [&](const plan* one) { return one->active() && one->deferred.contains(fetch); }))
        told_.refused(fetch->getDebugLoc(), "fetch not deferred: " + why_stray(*fetch), mark_.strict);
  }

  std::string why_stray(const Instruction& fetch) const {
    const auto* const outer = enclosing_.lookup(&fetch);
    if (outer && !outer->fetches.empty())
      return "it is made only once another fetch is there, which is not deferred either" +
             at_line(*outer->fetches.front());
    return "the enclosing loop or block can be left before it, or entered in several ways";
  }

  void report(const plan& one) {
    for (const auto* fetch : one.fetches)
      told_.refused(fetch->getDebugLoc(),
                    "fetch not deferred: " + one.refusal +
                        (one.refused_at && one.refused_at != fetch ? at_line(*one.refused_at) : ""),
                    mark_.strict);
  }

  // Plans whose fetches take turns at one place with those of others, and change it: such fetches keep their
  // order if all of them go the same way, but what is fused goes a way of its own.
  static SmallPtrSet<const plan*, 4> find_in_turn(ArrayRef<plan*> active, const code& body) {
    SmallPtrSet<const plan*, 4> found;
    const auto meets = [&](const CallInst* mine, const CallInst* its) {
      return conflict(body.known->of(*mine), body.known->of(*its));
    };
    for (const auto* one : active)
      for (const auto* other : active)
        if (one != other && one->active() && other->active() &&
            any_of(one->fetches, [&](const CallInst* mine) {
              return any_of(other->fetches, [&](const CallInst* its) { return meets(mine, its); });
            }))
          found.insert(one);
    return found;
  }

  void defer(plan& one, code& body, const blocks& region, const shape& structure, const memory_oracle& memory,
             bool may_fuse, SmallVectorImpl<code*>& inner) {
    if (may_fuse && body.switches->fuse_at_owner && mark_.fuse && !left.throws && !one.fetches.empty())
      if (auto part = find_owner_part(one, body, region, structure, memory)) {
        made_.push_back(fuse(*part, body, static_cast<unsigned>(made_.size())));
        return;
      }
    inner.push_back(make_callback(one, body, structure));
  }

  code* make_callback(plan& one, code& body, const shape& structure) {
    for (const auto& part : one.scope.units) left.uses_frame |= part.deferred && !part.touched.memory.empty();
    made_.push_back(outline(one, body, structure, static_cast<unsigned>(made_.size()), left.references));
    made_.back()->keeps_exceptions = left.throws;
    return made_.back().get();
  }

  void work_inside(code& callback) {
    blocks region;
    for (auto& block : drop_begin(*callback.function)) region.insert(&block);
    callback.vars.find_escapes(callback.known->addresses());
    analyses_.invalidate(*callback.function, PreservedAnalyses::none());
    work(callback, callback.function->getEntryBlock().getSingleSuccessor(), region);
  }

  const marker& mark_;
  FunctionAnalysisManager& analyses_;
  callbacks& made_;
  diagnostics& told_;
  std::vector<WeakVH> elsewhere_;                       // what is deferred, of all scopes
  SmallPtrSet<const Instruction*, 8> known_;            // fetches that a scope has decided about
  DenseMap<const Instruction*, const plan*> enclosing_; // of others, the plan that defers them as a part
};

blocks region_of(Function& function, BasicBlock* entry) {
  const DominatorTree dominators(function);
  blocks region;
  for (auto& block : function)
    if (dominators.isReachableFromEntry(&block) && dominators.dominates(entry, &block)) region.insert(&block);
  return region;
}

// Whether code that can be come to from the beginning of the statement, and not only from there, fetches: up
// to where the way around the statement joins.
bool fetches_past_directive(const marker& mark) {
  const auto* join = mark.branch->getSuccessor(1)->getSingleSuccessor();
  blocks reached;
  reached.insert(mark.entry());
  for (size_t at = 0; at < reached.size(); ++at)
    for (auto* next : successors(reached[at]))
      if (next != join) reached.insert(next);
  return join && !fetches_of(reached).empty();
}

std::string why_no_fetch(const marker& mark) {
  const std::string none = "'#pragma shmem defer' region contains no fetch to defer";
  return fetches_past_directive(mark)
             ? none + ", but for code that is also come to past the directive, by a label or a case"
             : none;
}

// Without what -g adds, so that decisions do not depend on it.
uint64_t instructions_in(const blocks& region) {
  uint64_t size = 0;
  for (const auto* block : region) size += static_cast<uint64_t>(block->sizeWithoutDebug());
  return size;
}
uint64_t instructions_in(const Function& function) {
  uint64_t size = 0;
  for (const auto& block : function) size += static_cast<uint64_t>(block.sizeWithoutDebug());
  return size;
}

// Fetches that cannot be deferred whatever stands around them.
void tell_of_others(const blocks& region, diagnostics& told) {
  for (const auto* block : region)
    for (const auto& instruction : *block)
      if (is_fetch_on_default_context(instruction))
        told.missed(instruction.getDebugLoc(),
                    "fetch not deferred: the default context is never aggregated; use a context of your own");
}

// Whether deferred code can know addresses in the frame other than those of variables it names.
bool frame_is_known(code& body) {
  return any_of(body.vars.all(),
                [](const auto& var) { return var->where == storage::frame && var->escapes; }) ||
         any_of(instructions(*body.function), [](const Instruction& instruction) {
           const auto* alloca = dyn_cast<AllocaInst>(&instruction);
           return alloca && !alloca->isStaticAlloca();
         });
}

} // namespace

void transform_region(code& body, const marker& mark, FunctionAnalysisManager& analyses, callbacks& made,
                      diagnostics& told) {
  const auto& where = mark.annotation->getDebugLoc();
  if (!mark.branch)
    return told.refused(
        where, "'#pragma shmem defer' is not followed by a statement" + line_of_directive(mark), mark.strict);
  if (const auto why = file_refusal(*body.function->getParent()); !why.empty())
    return told.refused(where, "region not deferred: " + why + line_of_directive(mark), mark.strict);
  const auto region = region_of(*body.function, mark.entry());
  const auto fetches = fetches_of(region);
  tell_of_others(region, told);
  if (fetches.empty()) return told.refused(where, why_no_fetch(mark) + line_of_directive(mark), mark.strict);
  if (const auto why = whole_refusal(*body.function, region); !why.empty()) {
    for (const auto* fetch : fetches)
      told.refused(fetch->getDebugLoc(), "fetch not deferred: " + why, mark.strict);
    return;
  }
  body.effort += fetches.size() * instructions_in(region) + 2 * instructions_in(*body.function);
  if (body.effort > most_effort)
    return told.refused(
        where,
        "region not deferred: the function is too large, with " + std::to_string(fetches.size()) +
            " fetch(es) and " + std::to_string(instructions_in(region)) +
            " instructions in this statement; divide it into several functions" + line_of_directive(mark),
        mark.strict);
  const auto before = made.size();
  body.vars.look_at(*mark.entry());
  body.provable = find_meetings(region, body);
  region_worker worker(mark, analyses, made, told);
  worker.left.handler = body.handler;
  worker.work(body, mark.entry(), region);
  if (made.size() == before) return;
  worker.left.uses_frame &= frame_is_known(body);
  if (body.switches->hold("drains")) add_drains(body, mark.entry(), worker.left, where, told);
}

} // namespace windrow::compiler::defer
