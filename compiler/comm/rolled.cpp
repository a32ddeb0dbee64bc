// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/rolled.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/bulk.hpp"
#include "compiler/comm/late_writes.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/comm/polling.hpp"

namespace windrow::compiler::comm {

namespace {

constexpr unsigned many_rounds = 8;

template <class Holds>
bool any_instruction(const Loop& loop, Holds holds) {
  return any_of(loop.blocks(), [&](BasicBlock* block) { return any_of(*block, holds); });
}

bool has_accesses(const Loop& loop) {
  return any_instruction(loop, [](Instruction& one) { return plain_access_of(one) || late_verb_of(one); });
}

bool may_be_read_once(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  return call && is_blocking_access(*call) && is_relaxed(*call);
}

// As rounds beside each other the reads would no longer be seen to wait for another PE.
bool polls(const Loop& loop, LoopStandardAnalysisResults& facts) {
  const auto& rules = active_options();
  if (!rules.hold("polling") || !rules.hold("polling-rolled") || !any_instruction(loop, may_be_read_once))
    return false;
  const PostDominatorTree behind(*loop.getHeader()->getParent());
  memory_readers readers(facts.AA);
  return any_instruction(loop, [&](Instruction& one) {
    if (!may_be_read_once(one)) return false;
    if (const auto access = plain_access_of(one))
      return access->reads && may_end(*access, loop, behind, readers);
    const auto access = bulk_access_of(one);
    return access && access->reads && plainly_ends(*access, loop, behind, readers);
  });
}

} // namespace

// A loop inside that is still there has many rounds, or polls.
PreservedAnalyses rolled_pass::run(Loop& loop, LoopAnalysisManager&, LoopStandardAnalysisResults& facts,
                                   LPMUpdater&) {
  if (!active_options().is_on()) return PreservedAnalyses::all();
  if (polls(loop, facts)) {
    loop.setLoopAlreadyUnrolled();
    return PreservedAnalyses::all();
  }
  if (!active_options().has("vectorise") || !has_accesses(loop)) return PreservedAnalyses::all();
  if (hasUnrollTransformation(&loop) & TM_Force) return PreservedAnalyses::all(); // the program says so
  if (!loop.isInnermost() || facts.SE.getSmallConstantTripCount(&loop) >= many_rounds)
    loop.setLoopAlreadyUnrolled();
  return PreservedAnalyses::all();
}

} // namespace windrow::compiler::comm
