// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/loop_plan.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/comm/counting.hpp"
#include "compiler/comm/invariants.hpp"
#include "compiler/comm/obstacles.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/comm/polling.hpp"
#include "compiler/comm/stores.hpp"

namespace windrow::compiler::comm {

namespace {

constexpr uint64_t fewest_in_strip = 8;        // of a strip
constexpr uint64_t most_ahead_bytes = 1 << 18; // of values
constexpr uint64_t any_rounds = uint64_t{1} << 40;
constexpr const char* same_place = "each round has the same place";

bool can_expand(const SCEV& value, const Loop& loop, const known_facts& facts) {
  const SCEVExpander expander(facts.evolution, loop.getHeader()->getModule()->getDataLayout(), "comm");
  return expander.isSafeToExpandAt(&value, loop.getLoopPreheader()->getTerminator());
}

class planner {
 public:
  planner(Loop& loop, known_facts& facts) : loop_(loop), facts_(facts), ahead_(loop, facts) {}

  loop_plan run() {
    plan_.is_nest = !loop_.isInnermost();
    auto obstacle = obstacle_of_form();
    if (obstacle.empty()) obstacle = obstacle_of_instructions();
    if (obstacle.empty()) hoist_places(loop_, facts_); // may give the accesses other arguments
    const bool counts_somehow = obstacle.empty() && steps_to_bound(loop_, facts_);
    if (obstacle.empty()) obstacle = obstacle_of_rounds();
    if (obstacle.empty()) prepare_inside();
    find_accesses();
    if (!obstacle.empty())
      refuse_all(obstacle, counts_somehow);
    else
      plan_accesses();
    finish();
    return std::move(plan_);
  }

 private:
  // What is planned for has to stay as it is.
  void prepare_inside() {
    if (plan_.is_nest) formLCSSARecursively(loop_, facts_.dominators, &facts_.loops, &facts_.evolution);
    ahead_.begin();
  }

  // What was moved in a nest may be what its loops inside are planned by.
  void finish() {
    if (plan_.does_nothing()) plan_.bound.thaw(loop_, facts_);
    if (plan_.does_nothing() && !plan_.is_nest) facts_.moved.take_back(loop_, facts_.evolution);
    facts_.moved.keep();
    sort_refusals();
  }

  void find_accesses() {
    LoopBlocksRPO order(&loop_);
    order.perform(&facts_.loops);
    for (auto* block : order)
      for (auto& instruction : *block)
        if (const auto access = plain_access_of(instruction)) accesses_.push_back(*access);
  }

  // Each round runs to its end, so what does not change may be moved in front of the loop.
  std::string obstacle_of_form() const {
    if (!loop_.isLoopSimplifyForm() || !loop_.isSafeToClone()) return "the loop cannot be copied";
    if (loop_.getExitingBlock() != loop_.getLoopLatch() || !loop_.getUniqueExitBlock())
      return "the loop may be left before its end" + way_out_of(loop_);
    return "";
  }

  std::string obstacle_of_instructions() const {
    for (auto* block : loop_.blocks())
      for (auto& instruction : *block)
        if (auto obstacle = obstacle_of(instruction); !obstacle.empty()) return obstacle;
    return "";
  }

  std::string obstacle_of_rounds() {
    plan_.taken = facts_.evolution.getBackedgeTakenCount(&loop_);
    if (isa<SCEVCouldNotCompute>(plan_.taken)) {
      plan_.bound.freeze(loop_, facts_);
      plan_.taken = facts_.evolution.getBackedgeTakenCount(&loop_);
    }
    if (isa<SCEVCouldNotCompute>(plan_.taken) ||
        facts_.evolution.getTypeSizeInBits(plan_.taken->getType()) > 64)
      return "the number of rounds is not known before the loop" +
             (plan_.bound.obstacle().empty() ? "" : ": " + plan_.bound.obstacle());
    return can_expand(*plan_.taken, loop_, facts_)
               ? ""
               : "the number of rounds cannot be computed before the loop";
  }

  void plan_accesses() {
    SmallVector<stepping_access, 8> moving;
    for (const auto& access : accesses_) {
      auto [stepping, wanders] = follow_access(access, loop_, facts_);
      const bool straight = is_once_a_round(*access.call);
      auto obstacle = obstacle_of_access(access);
      if (obstacle.empty() && !(stepping && straight))
        obstacle = compute_ahead(access, straight ? wanders : "it depends on a condition");
      if (!obstacle.empty())
        keep(access, stepping, std::move(obstacle));
      else if (stepping && straight)
        moving.push_back(*stepping);
    }
    auto grouped = make_transfers(moving, facts_.evolution);
    for (const auto& [one, why] : grouped.left)
      if (auto obstacle = compute_ahead(one.access, why); !obstacle.empty())
        keep(one.access, one, std::move(obstacle));
    finish_ahead();
    plan_.transfers = std::move(grouped.transfers);
    check_order();
    check_writes();
    if (comparisons_of(plan_.transfers, plan_.kept.size()) > most_comparisons)
      refuse_transfers(too_many_comparisons);
    fit_strips();
    check_gathered();
    check_bound();
    if (any_of(plan_.transfers, [](const transfer& one) { return one.reads; })) find_stores();
  }

  bool is_once_a_round(const CallInst& call) const {
    return facts_.loops.getLoopFor(call.getParent()) == &loop_ && is_in_every_round(call, loop_, facts_);
  }

  void find_stores() {
    const auto stores = stores_of(loop_, facts_);
    const auto is_known = [](const loop_store& one) { return one.steps.has_value(); };
    if (!stores.obstacle.empty() || !all_of(stores.all, is_known)) return;
    if (stores.all.size() * plan_.transfers.size() > most_comparisons) return;
    plan_.beside_near_reads.emplace();
    for (const auto& one : stores.all) plan_.beside_near_reads->push_back(*one.steps);
  }

  // Of writes to this PE, or another one of its host.
  void check_bound() {
    if (!plan_.bound.is_frozen() || !plan_.bound.needs_far_writes() || all_writes_are_bulk()) return;
    const char* const why =
        "a write of the loop stays as it is, and may be to what says how many rounds there are";
    for (const auto& access : plan_.gathered.reads) refuse(*access.call, why);
    plan_.gathered = {};
    refuse_transfers(why);
  }

  bool all_writes_are_bulk() const {
    return llvm::all_of(accesses_, [&](const plain_access& one) { return one.reads || !is_refused(one); });
  }

  bool is_refused(const plain_access& access) const {
    return llvm::any_of(plan_.refused, [&](const auto& one) { return one.first == access.call; });
  }

  /// Why the place of the access, which does not move by a constant distance, cannot be computed for many
  /// rounds ahead either; empty if it can.
  std::string compute_ahead(const plain_access& access, const std::string& wanders) {
    if (!access.reads || (is_invariant(*access.remote) && is_invariant(*access.pe))) return wanders;
    if (is_for_its_own_loop(access)) return "a loop inside makes bulk transfers";
    const auto obstacle = ahead_.add(access);
    if (obstacle.empty()) gathered_.push_back(access);
    return obstacle.empty() ? "" : wanders + ", and " + obstacle;
  }

  // Of a loop inside, all of whose accesses step there: that carries fewer bytes than places do.
  bool is_for_its_own_loop(const plain_access& access) {
    auto* inner = facts_.loops.getLoopFor(access.call->getParent());
    if (inner == &loop_ || !ends_at_its_latch(*inner) || !has_form_of_strips(*inner, facts_)) return false;
    return all_of(accesses_, [&](const plain_access& one) {
      return facts_.loops.getLoopFor(one.call->getParent()) != inner ||
             (is_in_every_round(*one.call, *inner, facts_) && follow_access(one, *inner, facts_).first);
    });
  }

  bool is_invariant(Value& value) const {
    return facts_.evolution.isLoopInvariant(facts_.evolution.getSCEV(&value), &loop_);
  }

  void finish_ahead() {
    if (gathered_.empty()) return;
    const auto obstacle = ahead_.finish(plan_.gathered);
    if (!obstacle.empty())
      for (const auto& access : gathered_)
        keep(access, std::nullopt, "its place cannot be computed ahead: " + obstacle);
  }

  // Of writes that stay nobody knows whether they change what has been read ahead, or what names the places.
  void check_gathered() {
    if (plan_.gathered.reads.empty() || !active_options().hold("order")) return;
    if (all_writes_are_bulk() || take_in_puts()) return;
    for (const auto& access : plan_.gathered.reads)
      refuse(*access.call, "a write of the loop stays as it is, and may be to the same place");
    plan_.gathered = {};
    refuse_transfers("another access of the loop stays as it is, and may be to the same place");
  }

  /// Whether all writes that stay can tell what has been read ahead what they change. Those of loops inside
  /// may do better there.
  bool take_in_puts() {
    if (plan_.bound.is_frozen() && plan_.bound.needs_far_writes()) return false;
    SmallVector<CallInst*, 2> puts;
    for (const auto& access : accesses_) {
      if (access.reads || !is_refused(access)) continue;
      if (is_strict(*access.call) || !access.local ||
          facts_.loops.getLoopFor(access.call->getParent()) != &loop_)
        return false;
      if (!ahead_.names_no_place(access)) return false;
      puts.push_back(access.call);
    }
    erase_if(plan_.refused, [&](const auto& one) { return is_contained(puts, one.first); });
    plan_.gathered.puts = std::move(puts);
    return true;
  }

  std::string obstacle_of_access(const plain_access& access) {
    const auto& rules = active_options();
    if (is_strict(*access.call)) return "it stands behind #pragma shmem strict";
    if (!access.reads && rules.hold("nest-waits"))
      if (auto obstacle = obstacle_of_loops_inside(); !obstacle.empty()) return obstacle;
    if (access.reads && !is_relaxed(*access.call) && rules.hold("promise"))
      return "other PEs may write what is read meanwhile; " + promise_for(*access.call);
    if (access.reads && may_poll(access, loop_.getParentLoop(), facts_))
      return "its value may decide whether a loop around it goes on";
    if (access.reads && may_be_waited_for(access, find_polling(), facts_))
      return "a loop inside may wait for what it reads";
    return "";
  }

  ArrayRef<plain_access> find_polling() {
    if (!polling_) polling_ = polling_inside(loop_, accesses_, facts_);
    return *polling_;
  }

  // Of writes that would be made behind them.
  std::string obstacle_of_loops_inside() {
    const auto comes_to_its_end = [&](const Loop* one) { return one == &loop_ || counts(*one, facts_); };
    if (!all_of(loop_.getLoopsInPreorder(), comes_to_its_end))
      return "a loop inside does not count, and may wait for what is written";
    if (const auto* load = watches_in(loop_, facts_))
      return "what is loaded" + line_of(*load) +
             " may decide whether a loop inside goes on, and so wait for what is written";
    for (const auto& access : accesses_)
      if (access.reads && facts_.loops.getLoopFor(access.call->getParent()) != &loop_ &&
          may_end_inside(access, loop_, facts_))
        return "what is read" + line_of(*access.call) +
               " may decide whether a loop inside goes on, and so wait for what is written";
    return "";
  }

  void keep(const plain_access& access, const std::optional<stepping_access>& stepping, std::string why) {
    if (access.reads && stepping)
      plan_.kept.push_back({stepping->address->getStart(), stepping->pe, stepping->step, access.bytes});
    else
      kept_.push_back(access);
    refuse(*access.call, std::move(why));
  }

  // What stays at a place that is not known may meet a write, of which one or the other would be late.
  void check_order() {
    if (!active_options().hold("order")) return;
    const auto may_meet_any = [&](const plain_access& kept) {
      return any_of(plan_.transfers, [&](const transfer& one) { return may_share(kept, one); });
    };
    if (any_of(kept_, may_meet_any))
      refuse_transfers("another access of the loop stays as it is, and may be to the same place");
  }

  // A place, in whichever rounds, that one of the two writes.
  bool may_share(const plain_access& kept, const transfer& one) const {
    if (kept.reads && one.reads) return false;
    return any_of(one.members, [&](const member& part) {
      return !never_share(MemoryLocation::getBeforeOrAfter(kept.remote),
                          MemoryLocation::getBeforeOrAfter(part.access.remote), facts_);
    });
  }

  // The distance between two is known, and they meet.
  void check_writes() {
    if (!active_options().hold("coverage")) return;
    for (const auto& one : plan_.transfers)
      for (const auto& other : plan_.transfers) {
        if (&one == &other || one.reads) continue;
        if (!other.reads && always_meet(one, other))
          return refuse_transfers("two accesses of the loop write the same place");
        if (other.reads && reads_what_is_written(other, one))
          return refuse_transfers("each round reads what is written by it, or by the last one");
      }
  }

  // However few rounds there are.
  bool reads_what_is_written(const transfer& reads, const transfer& writes) const {
    return are_neighbours(reads, writes, facts_.evolution) && !never_meet(reads, writes, facts_.evolution) &&
           !all_reads_first(reads, writes, facts_);
  }

  bool always_meet(const transfer& one, const transfer& other) const {
    return one.pe == other.pe && one.step == other.step &&
           isa<SCEVConstant>(facts_.evolution.getMinusSCEV(one.start, other.start)) &&
           !never_meet(one, other, facts_.evolution);
  }

  void fit_strips() {
    plan_.places_ahead = most_places;
    for (const auto& access : plan_.gathered.reads)
      plan_.places_ahead = std::min(plan_.places_ahead, most_ahead_bytes / access.bytes);
    plan_.strip_rounds = any_rounds;
    if (!plan_.is_nest && !plan_.gathered.reads.empty()) plan_.strip_rounds = plan_.places_ahead;
    for (const auto& one : plan_.transfers) {
      const auto rest = buffer_bytes > one.span ? buffer_bytes - one.span : 0;
      plan_.strip_rounds = std::min(plan_.strip_rounds, rest / one.pitch() + 1);
    }
    if (plan_.strip_rounds >= fewest_in_strip) return;
    refuse_transfers("a round moves so much that nothing is gained");
    fit_strips();
  }

  void refuse_transfers(const char* why) {
    for (const auto& one : plan_.transfers)
      for (const auto& part : one.members) refuse(*part.access.call, why);
    plan_.transfers.clear();
  }

  // Without the promise a bound may change behind each read.
  void refuse_all(const std::string& why, bool counts_somehow) {
    for (const auto& access : accesses_) {
      const bool promised = !access.reads || is_relaxed(*access.call);
      const auto before = promised || !counts_somehow ? "" : obstacle_of_access(access);
      refuse(*access.call, before.empty() ? why : before);
    }
  }

  void refuse(CallInst& call, std::string why) { plan_.refused.emplace_back(&call, std::move(why)); }

  void sort_refusals() {
    const auto place = [&](const CallInst* call) {
      return llvm::find_if(accesses_, [&](const plain_access& one) { return one.call == call; });
    };
    llvm::sort(plan_.refused,
               [&](const auto& one, const auto& other) { return place(one.first) < place(other.first); });
  }

  Loop& loop_;
  known_facts& facts_;
  ahead_finder ahead_;
  SmallVector<plain_access, 8> accesses_, gathered_;
  std::optional<SmallVector<plain_access, 2>> polling_; ///< of them
  SmallVector<plain_access, 4> kept_;                   ///< what stays, but for reads of known places
  loop_plan plan_{};
};

} // namespace

std::pair<std::optional<stepping_access>, std::string> follow_access(const plain_access& access, Loop& loop,
                                                                     known_facts& facts) {
  auto& evolution = facts.evolution;
  const auto* pe = evolution.getSCEV(access.pe);
  if (!evolution.isLoopInvariant(pe, &loop) || !can_expand(*pe, loop, facts))
    return {std::nullopt, "the PE is another one in each round"};
  const auto* place = evolution.getSCEV(access.remote);
  const auto* address = dyn_cast<SCEVAddRecExpr>(place);
  if (!address && evolution.isLoopInvariant(place, &loop)) return {std::nullopt, same_place};
  if (!address || address->getLoop() != &loop || !address->isAffine() ||
      !can_expand(*address->getStart(), loop, facts))
    return {std::nullopt, "the address does not move by the same distance in each round"};
  const auto* step = dyn_cast<SCEVConstant>(address->getStepRecurrence(evolution));
  if (!step || step->getAPInt().getSignificantBits() > 32)
    return {std::nullopt, "the distance from one round's place to the next is not a constant"};
  return {stepping_access{access, address, pe, step->getAPInt().getSExtValue()}, ""};
}

bool is_in_every_round(const CallInst& call, const Loop& loop, const known_facts& facts) {
  return !active_options().hold("conditions") ||
         facts.dominators.dominates(call.getParent(), loop.getLoopLatch());
}

bool has_form_of_strips(const Loop& loop, known_facts& facts) {
  return loop.isInnermost() && loop.getExitingBlock() == loop.getLoopLatch() &&
         !isa<SCEVCouldNotCompute>(facts.evolution.getBackedgeTakenCount(&loop));
}

loop_plan plan_loop(Loop& loop, known_facts& facts) {
  return planner(loop, facts).run();
}

} // namespace windrow::compiler::comm
