// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/wait_plan.hpp"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/obstacles.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/comm/polling.hpp"
#include "compiler/comm/stores.hpp"
#include "compiler/common/analysis/library_use.hpp"
#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::comm {

namespace {

constexpr size_t most_begun = 64;           // calls of a function
constexpr size_t most_looks = 16;           // beyond, it is waited
constexpr size_t most_instructions = 20000; // of a function

template <class Holds>
bool any_open(const BitVector& open, Holds holds) {
  for (const auto i : open.set_bits())
    if (holds(i)) return true;
  return false;
}

/// Where what may be under way, and where it must not be. Waits are added until nothing is under way where it
/// must not be; each ends all.
class wait_placer {
 public:
  wait_placer(Function& function, ArrayRef<bulk_access> begun, known_facts& facts, conflict_finder& conflicts)
      : begun_(begun), facts_(facts), conflicts_(conflicts) {
    for (const auto& [number, one] : enumerate(begun)) numbers_[one.call] = static_cast<unsigned>(number);
    for (auto* block : ReversePostOrderTraversal<Function*>(&function)) order_.push_back(block);
  }

  void run() {
    for (flow(); const auto found = first_conflict(); flow()) waits_.insert(*found);
    drop_idle_waits();
  }

  bool waits_before(Instruction& one) const { return waits_.count(&one) != 0; }
  const MapVector<Instruction*, Instruction*>& waits() const { return waits_; }

  /// Where the transfer is waited for, and for what.
  SmallVector<std::pair<Instruction*, Instruction*>, 2> waits_for(const bulk_access& one) const {
    SmallVector<std::pair<Instruction*, Instruction*>, 2> found;
    for (const auto& [at, user] : waits_)
      if (begin_of(*at->getParent(), at).test(numbers_.lookup(one.call))) found.emplace_back(at, user);
    return found;
  }

  /// Whether others may be under way when it begins.
  bool joins_others(const bulk_access& one) const {
    auto open = begin_of(*one.call->getParent(), one.call);
    open.reset(numbers_.lookup(one.call));
    return open.any();
  }

  std::vector<look> looks() {
    std::vector<look> found;
    for (auto* block : order_)
      walk(*block, [&](Instruction& one, const BitVector& open) {
        if (looks_.count(&one) == 0 || open.none()) return;
        look made{&one, {}};
        for (const auto& used : conflict_finder::used_by(one))
          if (any_open(open, [&](unsigned i) { return conflicts_.may_matter(used, one, begun_[i]); }))
            made.at.push_back(used);
        if (!made.at.empty()) found.push_back(std::move(made));
      });
    return found;
  }

 private:
  // ---- what may be under way

  void flow() {
    ends_.clear();
    for (bool changed = true; changed;) {
      changed = false;
      for (auto* block : order_) {
        auto end = walk(*block, [](Instruction&, const BitVector&) {});
        auto& known = ends_.try_emplace(block, begun_.size()).first->second;
        changed |= known != end;
        known = std::move(end);
      }
    }
  }

  /// In front of the instruction, or at the block's begin.
  BitVector begin_of(BasicBlock& block, const Instruction* upto = nullptr) const {
    BitVector open(static_cast<unsigned>(begun_.size()));
    for (auto* before : predecessors(&block))
      if (const auto known = ends_.find(before); known != ends_.end()) open |= known->second;
    if (!upto) return open;
    for (auto& one : block) {
      if (&one == upto) break;
      advance(one, open);
    }
    return open;
  }

  void advance(Instruction& one, BitVector& open) const {
    if (waits_before(one)) open.reset();
    if (const auto number = numbers_.find(&one); number != numbers_.end()) open.set(number->second);
  }

  /// Calls `visit` with each instruction, and what may be under way in front of it.
  template <class Visit>
  BitVector walk(BasicBlock& block, Visit visit) const {
    auto open = begin_of(block);
    for (auto& one : block) {
      if (waits_before(one)) open.reset();
      visit(one, open);
      advance(one, open);
    }
    return open;
  }

  // ---- where it must not be

  /// The place of a wait that is missing, and for what; empty if none is.
  std::optional<std::pair<Instruction*, Instruction*>> first_conflict() {
    for (auto* block : order_) {
      std::optional<std::pair<Instruction*, Instruction*>> found;
      walk(*block, [&](Instruction& one, const BitVector& open) {
        if (found || open.none() || numbers_.count(&one)) return;
        if (auto* at = place_if_needed(one, open)) found.emplace(at, &one);
      });
      if (found) return found;
    }
    return std::nullopt;
  }

  Instruction* place_if_needed(Instruction& one, const BitVector& open) {
    auto most = need::nothing;
    for (const auto i : open.set_bits()) most = std::max(most, needed(one, i));
    if (most == need::nothing) return nullptr;
    const auto* outside = outermost_without_begun(one);
    auto* in_front = outside ? outside->getLoopPreheader() : nullptr;
    if (in_front && !waits_before(*in_front->getTerminator())) return in_front->getTerminator();
    if (most == need::look && can_look(one, open)) return nullptr;
    return &one;
  }

  need needed(Instruction& one, unsigned number) {
    auto& known = needs_[{&one, number}];
    if (!known) known = conflicts_.of(one, begun_[number]);
    return *known;
  }

  // The outermost loop around it in which nothing is begun: in front of that one wait will do for all rounds.
  Loop* outermost_without_begun(const Instruction& one) const {
    return widest_loop(one, facts_.loops, [&](const Loop& loop) { return !has_begun(loop); });
  }

  bool has_begun(const Loop& loop) const {
    return any_of(begun_, [&](const bulk_access& one) { return loop.contains(one.call); });
  }

  // What is plainly used is waited for, unless that may be what another round uses.
  bool can_look(Instruction& one, const BitVector& open) {
    if (looks_.count(&one) != 0) return true;
    if (looks_.size() == most_looks) return false;
    if (!facts_.loops.getLoopFor(one.getParent()) &&
        any_open(open, [&](unsigned i) { return uses_object_of(one, begun_[i]); }))
      return false;
    return looks_.insert(&one);
  }

  static bool uses_object_of(Instruction& one, const bulk_access& begun) {
    return any_of(conflict_finder::used_by(one), [&](const used_memory& used) {
      return getUnderlyingObject(used.at) == getUnderlyingObject(begun.local);
    });
  }

  void drop_idle_waits() {
    SmallVector<Instruction*, 8> idle;
    for (auto* block : order_) {
      auto open = begin_of(*block);
      for (auto& one : *block) {
        if (waits_before(one) && open.none()) idle.push_back(&one);
        advance(one, open);
      }
    }
    for (auto* one : idle) waits_.erase(one);
  }

  ArrayRef<bulk_access> begun_;
  known_facts& facts_;
  conflict_finder& conflicts_;
  DenseMap<const Instruction*, unsigned> numbers_;
  SmallVector<BasicBlock*, 32> order_;
  DenseMap<BasicBlock*, BitVector> ends_; ///< what may be under way at the end of a block
  DenseMap<std::pair<Instruction*, unsigned>, std::optional<need>> needs_;
  MapVector<Instruction*, Instruction*> waits_; ///< for what
  SmallSetVector<Instruction*, 8> looks_;
};

/// What runs while a transfer is under way.
class meantime {
 public:
  meantime(const wait_placer& placer, known_facts& facts) : placer_(placer), facts_(facts) {}

  /// Why nothing is gained by beginning it only; empty if something is.
  std::string obstacle(const bulk_access& of) {
    const auto waits = placer_.waits_for(of);
    if (placer_.joins_others(of) || goes_on_before(of, waits)) return "";
    SmallVector<Instruction*, 2> users;
    for (const auto& [at, user] : waits) users.push_back(user);
    return "there is nothing to do until it is waited for " + described(users);
  }

 private:
  bool goes_on_before(const bulk_access& of, ArrayRef<std::pair<Instruction*, Instruction*>> waits) {
    const auto* around = facts_.loops.getLoopFor(of.call->getParent());
    const bool next_round =
        around && none_of(waits, [&](const auto& one) { return around->contains(one.first); });
    seen_.clear();
    pending_.clear();
    if (gains_in(*of.call->getParent(), of.call->getNextNode(), of, next_round)) return true;
    while (!pending_.empty()) {
      auto* block = pending_.pop_back_val();
      if (gains_in(*block, &block->front(), of, next_round)) return true;
    }
    return false;
  }

  // Loops behind it, and other rounds of its own.
  bool gains_in(BasicBlock& block, Instruction* from, const bulk_access& of, bool next_round) {
    const auto* loop = facts_.loops.getLoopFor(&block);
    if (from == &block.front() && loop && !loop->contains(of.call)) return true;
    for (auto* one = from; one; one = one->getNextNode()) {
      if (placer_.waits_before(*one)) return false;
      if (one == of.call && !next_round) return false;
      if (takes_time(*one)) return true;
    }
    for (auto* next : successors(&block))
      if (seen_.insert(next).second) pending_.push_back(next);
    return false;
  }

  static bool takes_time(Instruction& one) {
    if (isa<MemIntrinsic>(one) || is_blocking_access(one)) return true;
    return isa<CallBase>(one) && !isa<IntrinsicInst>(one) && !is_query(callee_name(one));
  }

  const wait_placer& placer_;
  known_facts& facts_;
  SmallPtrSet<BasicBlock*, 16> seen_;
  SmallVector<BasicBlock*, 16> pending_;
};

class wait_planner {
 public:
  wait_planner(Function& function, known_facts& facts)
      : function_(function), facts_(facts), conflicts_(facts) {}

  wait_plan run(function_ref<bool(const CallInst&)> may_begin) {
    find_candidates(may_begin);
    while (!candidates_.empty()) {
      wait_placer placer(function_, candidates_, facts_, conflicts_);
      placer.run();
      if (drop_useless(placer)) continue;
      for (const auto& one : candidates_) {
        plan_.begun.push_back({one, {}, loop_of_gets(one)});
        for (const auto& [at, user] : placer.waits_for(one)) plan_.begun.back().used_by.push_back(user);
      }
      for (const auto& [at, user] : placer.waits()) plan_.waits.push_back(at);
      plan_.looks = placer.looks();
      break;
    }
    return std::move(plan_);
  }

 private:
  void find_candidates(function_ref<bool(const CallInst&)> may_begin) {
    const bool too_large = function_.getInstructionCount() > most_instructions;
    for (auto& instruction : instructions(function_)) {
      const auto access = bulk_access_of(instruction);
      if (!access || !may_begin(*access->call)) continue;
      auto obstacle = too_large || candidates_.size() == most_begun ? "the function is too large"
                                                                    : obstacle_of_candidate(*access);
      if (obstacle.empty())
        candidates_.push_back(*access);
      else
        plan_.refused.emplace_back(access->call, std::move(obstacle));
    }
  }

  std::string obstacle_of_candidate(const bulk_access& access) const {
    if (is_strict(*access.call)) return "it stands behind #pragma shmem strict";
    if (!access.reads) return "";
    if (!is_relaxed(*access.call) && active_options().hold("promise"))
      return "other PEs may write what is read meanwhile; " + promise_for(*access.call);
    const auto* loop = facts_.loops.getLoopFor(access.call->getParent());
    if (plainly_polls(access, loop, facts_)) return "its value may decide whether a loop around it goes on";
    return "";
  }

  Loop* loop_of_gets(const bulk_access& one) const {
    auto* loop = facts_.loops.getLoopFor(one.call->getParent());
    if (!loop || !one.reads || !loop->isInnermost() || !loop->hasDedicatedExits()) return nullptr;
    const auto only_gets = [&](Instruction& instruction) {
      const auto is_begun = [&](const bulk_access& get) { return get.call == &instruction && get.reads; };
      if (any_of(candidates_, is_begun) ||
          (changes_nothing(instruction) && !instruction.isLifetimeStartOrEnd()) ||
          is_query(callee_name(instruction)))
        return true;
      return !instruction.mayWriteToMemory() && !may_synchronise(instruction);
    };
    return all_of(loop->blocks(), [&](BasicBlock* block) { return all_of(*block, only_gets); }) ? loop
                                                                                                : nullptr;
  }

  bool drop_useless(const wait_placer& placer) {
    meantime between(placer, facts_);
    std::vector<bulk_access> useful;
    for (const auto& one : candidates_)
      if (auto obstacle = between.obstacle(one); obstacle.empty())
        useful.push_back(one);
      else
        plan_.refused.emplace_back(one.call, std::move(obstacle));
    if (useful.size() == candidates_.size()) return false; // the placer goes on with them
    candidates_ = std::move(useful);
    return true;
  }

  Function& function_;
  known_facts& facts_;
  conflict_finder conflicts_;
  std::vector<bulk_access> candidates_;
  wait_plan plan_;
};

} // namespace

std::string described(ArrayRef<Instruction*> users) {
  std::string text;
  for (const auto* one : users) {
    const auto name = callee_name(*one).str();
    const auto what = isa<ReturnInst>(one) ? "at the end of the function"
                                           : (name.empty() || isa<IntrinsicInst>(one) ? "" : "by " + name);
    const auto line = isa<ReturnInst>(one) ? "" : line_of(*one);
    const auto part = what + (what.empty() && !line.empty() ? line.substr(1) : line);
    if (text.find(part) == std::string::npos) text += (text.empty() ? "" : ", ") + part;
  }
  return text.empty() ? "" : text;
}

wait_plan plan_waits(Function& function, known_facts& facts, function_ref<bool(const CallInst&)> may_begin) {
  return wait_planner(function, facts).run(may_begin);
}

} // namespace windrow::compiler::comm
