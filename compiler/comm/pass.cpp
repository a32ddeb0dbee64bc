// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/pass.hpp"

#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "compiler/comm/coalesce.hpp"
#include "compiler/comm/collecting.hpp"
#include "compiler/comm/copies.hpp"
#include "compiler/comm/loop_plan.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/comm/reuse.hpp"
#include "compiler/comm/split.hpp"
#include "compiler/comm/stores.hpp"
#include "compiler/comm/strips.hpp"
#include "compiler/common/report/diagnostics.hpp"
#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/common/transform/transaction.hpp"

namespace windrow::compiler::comm {

namespace {

std::string describe(const transfer& one, uint64_t rounds) {
  const std::string noun = one.reads ? "read" : "write";
  return noun + " vectorised: one " + (one.strided ? "strided " : "") + noun + " for up to " +
         std::to_string(rounds) + " rounds of the loop" +
         (one.members.size() > 1 ? ", for " + std::to_string(one.members.size()) + " calls together" : "");
}

// One function with accesses.
class function_worker {
 public:
  function_worker(Function& function, FunctionAnalysisManager& analyses)
      : function_(function), analyses_(analyses), told_(pass_name, function, lines::of_callees) {}

  void run() {
    transaction change(function_);
    if (active_options().has("reuse")) read_once();
    if (active_options().has("vectorise")) {
      write_later();
      work_on_loops();
    }
    if (active_options().has("split")) begin_only();
    settle_others();
    if (active_options().has("coalesce")) combine();
    for (const auto& [call, why] : refused_)
      if (call && !why.empty()) told_.missed(call->getDebugLoc(), why);
    if (changed_)
      if (const auto fault = change.fault({}); !fault.empty()) give_up(change, fault);
    told_.emit();
  }

 private:
  void read_once() {
    known_facts facts(function_, analyses_);
    for (auto& [again, before, obstacle] : repeated_reads(function_, facts)) {
      if (!obstacle.empty()) {
        told_.missed(again->getDebugLoc(), "read again: " + obstacle);
        continue;
      }
      const auto where = place_outside_library(before->getDebugLoc());
      told_.done(again->getDebugLoc(), "read once: it is the value" +
                                           (where ? " of " + line_in(where, function_) : " from before"));
      again->replaceAllUsesWith(before);
      again->eraseFromParent();
      changed_ = true;
    }
    if (changed_) analyses_.invalidate(function_, PreservedAnalyses::none());
  }

  // Before the loops are put in strips, which must know what is left to be written in its round.
  void write_later() {
    if (!any_of(instructions(function_), [](Instruction& one) { return late_verb_of(one).has_value(); }))
      return;
    simplify_loops();
    for (;;) {
      known_facts facts(function_, analyses_);
      auto search = find_write_region(facts);
      if (!search.found) return keep(search.refused);
      tell(*search.found);
      collect_writes(*search.found, facts);
      changed_ = true;
      analyses_.invalidate(function_, PreservedAnalyses::none());
    }
  }

  void simplify_loops() {
    auto& loops = analyses_.getResult<LoopAnalysis>(function_);
    auto& dominators = analyses_.getResult<DominatorTreeAnalysis>(function_);
    bool any = false;
    for (auto* loop : loops) any |= simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
    if (any) analyses_.invalidate(function_, PreservedAnalyses::none());
  }

  // Of writes that move by a constant distance strips may still be made.
  void keep(ArrayRef<std::pair<CallInst*, std::string>> refused) {
    for (const auto& [call, why] : refused)
      if (plain_access_of(*call)) {
        kept_in_round_[call] = why;
      } else {
        told_.missed(call->getDebugLoc(), "update stays as it is: " + why);
        settle(*call);
      }
  }

  void tell(const write_region& region) {
    const auto where = place_outside_library(region.loop->getStartLoc());
    const auto loop = where ? " at " + line_in(where, function_) : "";
    for (const auto& write : region.writes)
      told_.done(write.call->getDebugLoc(), std::string(write.noun()) + " vectorised: those of the loop" +
                                                loop + " are collected, and made together for each PE");
  }

  void work_on_loops() {
    while (auto* loop = next_loop()) {
      known_facts facts(function_, analyses_);
      const auto plan = plan_loop(*loop, facts);
      const auto copy = copy_of(*loop, plan, facts);
      copy.empty() ? tell(plan, *loop) : tell(copy);
      if (plan.does_nothing()) continue;
      if (copy.empty())
        seen_.insert(&put_in_strips(*loop, plan, facts));
      else
        replace(*loop, plan, copy, facts);
      changed_ = true;
      analyses_.invalidate(function_, PreservedAnalyses::none());
    }
  }

  void replace(Loop& loop, const loop_plan& plan, const loop_copy& copy, known_facts& facts) {
    for (const auto& one : copy) kept_by_nest_.erase(&one.call());
    seen_.erase(loop.getHeader());
    replace_by_gets(loop, plan, copy, facts);
  }

  void tell(const loop_copy& copy) {
    for (const auto& one : copy)
      tell_done(one.call(), std::string("read vectorised: one ") + (one.is_dense() ? "" : "strided ") +
                                "read for all rounds of the loop, to where it stores what it reads");
  }

  // A loop with accesses that nothing is known of yet, in its simplified form: outer ones first, for whose
  // rounds one transfer does more. A nest as it was written is left to its innermost loops.
  Loop* next_loop() {
    auto& loops = analyses_.getResult<LoopAnalysis>(function_);
    for (auto* loop : loops.getLoopsInPreorder()) {
      if (seen_.contains(loop->getHeader()) || !any_of(loop->blocks(), [&](BasicBlock* block) {
            return has_unsettled(*block, loop->isInnermost());
          }))
        continue;
      seen_.insert(loop->getHeader());
      return simplified(*loop, loops);
    }
    return nullptr;
  }

  static bool has_unsettled(BasicBlock& block, bool copies_too) {
    return any_of(block, [&](Instruction& instruction) {
      const auto access = plain_access_of(instruction);
      return access && !is_settled(*access->call) && (copies_too || !is_copy(*access->call));
    });
  }

  Loop* simplified(Loop& loop, LoopInfo& loops) {
    auto& dominators = analyses_.getResult<DominatorTreeAnalysis>(function_);
    if (!simplifyLoop(&loop, &dominators, &loops, nullptr, nullptr, nullptr, false)) return &loop;
    auto* header = loop.getHeader();
    analyses_.invalidate(function_, PreservedAnalyses::none());
    return analyses_.getResult<LoopAnalysis>(function_).getLoopFor(header);
  }

  void tell(const loop_plan& plan, const Loop& loop) {
    for (const auto& one : plan.transfers) {
      tell_done(*one.members.front().access.call, describe(one, plan.strip_rounds));
      for (const auto& part : one.members) {
        settle(*part.access.call);
        kept_by_nest_.erase(part.access.call);
      }
    }
    for (const auto& access : plan.gathered.reads) {
      tell_done(*access.call, describe_gathered(plan, loop));
      settle(*access.call);
      const auto known = kept_by_nest_.find(access.call);
      if (known != kept_by_nest_.end() && !plan.is_nest && !is_copy(*access.call))
        told_.missed(access.call->getDebugLoc(),
                     "read is not made for many rounds of the loop around: " + known->second);
      kept_by_nest_.erase(access.call);
    }
    for (auto* put : plan.gathered.puts) {
      tell_done(*put, "write stays in its round, and changes what has been read ahead, too");
      settle(*put);
      kept_by_nest_.erase(put);
    }
    for (const auto& [call, why] : plan.refused)
      if (plan.is_nest)
        kept_by_nest_[call] = why;
      else
        refuse(*call, why);
  }

  static std::string describe_gathered(const loop_plan& plan, const Loop& loop) {
    const auto where = place_outside_library(loop.getStartLoc());
    const auto line = where ? " at " + line_in(where, *loop.getHeader()->getParent()) : "";
    return "read vectorised: the places of up to " + std::to_string(plan.places_ahead) +
           (plan.is_nest ? " rounds, in the loop" + line + " and those inside," : " rounds of the loop") +
           " are computed first, and read together";
  }

  void tell_done(const CallInst& call, const std::string& what) {
    if (!is_copy(call)) told_.done(call.getDebugLoc(), what);
  }

  // What no loop's transfer makes.
  void begin_only() {
    SmallPtrSet<const CallInst*, 8> refused;
    for (const auto& [call, why] : refused_) refused.insert(call);
    const auto may_begin = [&](const CallInst& call) { return !is_settled(call) || refused.contains(&call); };
    if (!any_of(instructions(function_), [&](Instruction& one) {
          const auto access = bulk_access_of(one);
          return access && may_begin(*access->call);
        }))
      return;
    simplify_loops();
    known_facts facts(function_, analyses_);
    const auto plan = plan_waits(function_, facts, may_begin);
    for (const auto& [call, why] : plan.refused) tell_kept_whole(*call, why);
    for (const auto& one : plan.begun) tell(one);
    if (plan.begun.empty()) return;
    split_phases(function_, plan);
    changed_ = true;
    analyses_.invalidate(function_, PreservedAnalyses::none());
  }

  void tell(const begun_transfer& one) {
    auto& call = *one.access.call;
    settle(call);
    kept_by_nest_.erase(&call);
    const auto known = find_refusal(call);
    if (known != refused_.end()) known->first = nullptr;
    tell_done(call, std::string(one.access.noun()) + " split: it is only begun here, and waited for " +
                        described(one.used_by));
  }

  void tell_kept_whole(CallInst& call, const std::string& why) {
    if (is_copy(call) || is_whole(call)) return settle(call);
    const auto known = find_refusal(call);
    if (known == refused_.end() && plain_access_of(call)) {
      refuse(call, reason_of(call));
      return tell_kept_whole(call, why);
    }
    const auto text = std::string(bulk_access_of(call)->noun()) + " stays as it is: ";
    if (known == refused_.end())
      refused_.emplace_back(&call, text + why);
    else if (known->second.find(why) == std::string::npos)
      known->second += "; it is not split: " + why;
    settle(call);
  }

  std::vector<std::pair<CallInst*, std::string>>::iterator find_refusal(const CallInst& call) {
    return llvm::find_if(refused_, [&](const auto& one) { return one.first == &call; });
  }

  void settle_others() {
    for (auto& instruction : instructions(function_)) {
      const auto access = plain_access_of(instruction);
      if (!access || is_settled(*access->call)) continue;
      if (active_options().has("vectorise"))
        refuse(*access->call, reason_of(*access->call));
      else
        refused_.emplace_back(access->call, "");
      settle(*access->call);
    }
  }

  std::string reason_of(CallInst& call) const {
    const auto known = kept_by_nest_.find(&call);
    return known == kept_by_nest_.end() ? "it is not in a loop that counts" : known->second;
  }

  void refuse(CallInst& call, const std::string& why) {
    const auto access = plain_access_of(call);
    settle(call);
    if (is_copy(call) || is_whole(call)) return;
    const auto found = kept_in_round_.find(&call);
    const bool more = found != kept_in_round_.end() && found->second != why;
    refused_.emplace_back(&call, std::string(access->noun()) + " stays as it is: " + why +
                                     (more ? ", and " + found->second : ""));
  }

  // Of the reads that no loop's transfer makes.
  void combine() {
    SmallVector<CallInst*, 8> reads;
    for (const auto& [call, why] : refused_)
      if (call) reads.push_back(call);
    known_facts facts(function_, analyses_);
    const auto groups = find_neighbours(function_, reads, facts);
    for (const auto& group : groups)
      for (auto* read : group.reads) {
        told_.done(read->getDebugLoc(), "read together with " + std::to_string(group.reads.size() - 1) +
                                            " beside it: " + std::to_string(group.end - group.low) +
                                            " bytes");
        llvm::find_if(refused_, [&](const auto& one) { return one.first == read; })->first = nullptr;
      }
    read_together(function_, groups);
    if (groups.empty()) return;
    changed_ = true;
    analyses_.invalidate(function_, PreservedAnalyses::none());
  }

  void give_up(transaction& change, const std::string& fault) {
    change.restore({});
    refused_.clear();
    analyses_.invalidate(function_, PreservedAnalyses::none());
    told_.forget();
    told_.missed({}, "the function stays as it is: internal error, please report it: " + fault);
  }

  Function& function_;
  FunctionAnalysisManager& analyses_;
  diagnostics told_;
  std::vector<std::pair<CallInst*, std::string>> refused_; ///< null: something was found after all
  /// Why writes at computed places are not collected.
  DenseMap<CallInst*, std::string> kept_in_round_;
  /// Why a loop around the innermost one makes nothing of it.
  DenseMap<CallInst*, std::string> kept_by_nest_;
  SmallPtrSet<BasicBlock*, 8> seen_; ///< headers of loops
  bool changed_ = false;
};

bool is_of_interest(Function& function) {
  return !function.isDeclaration() && !function.hasOptNone() && !function.callsFunctionThatReturnsTwice() &&
         any_of(instructions(function), [](Instruction& one) {
           return plain_access_of(one) || late_verb_of(one) || bulk_access_of(one);
         });
}

} // namespace

PreservedAnalyses comm_pass::run(Module& module, ModuleAnalysisManager& analyses) {
  if (!active_options().is_on() || !can_inline(module)) return PreservedAnalyses::all();
  auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SmallVector<Function*, 8> chosen;
  for (auto& function : module)
    if (is_of_interest(function)) chosen.push_back(&function);
  for (auto* function : chosen) function_worker(*function, functions).run();
  return chosen.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace windrow::compiler::comm
