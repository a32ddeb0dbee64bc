// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/rolled.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/late_writes.hpp"
#include "compiler/comm/options.hpp"

namespace windrow::compiler::comm {

namespace {

constexpr unsigned many_rounds = 8;

bool has_accesses(const Loop& loop) {
  return any_of(loop.blocks(), [](BasicBlock* block) {
    return any_of(*block, [](Instruction& one) { return plain_access_of(one) || late_verb_of(one); });
  });
}

} // namespace

// A loop inside that is still there has many rounds.
PreservedAnalyses rolled_pass::run(Loop& loop, LoopAnalysisManager&, LoopStandardAnalysisResults& facts,
                                   LPMUpdater&) {
  if (!active_options().is_on() || !active_options().has("vectorise") || !has_accesses(loop))
    return PreservedAnalyses::all();
  if (hasUnrollTransformation(&loop) & TM_Force) return PreservedAnalyses::all(); // the program says so
  if (!loop.isInnermost() || facts.SE.getSmallConstantTripCount(&loop) >= many_rounds)
    loop.setLoopAlreadyUnrolled();
  return PreservedAnalyses::all();
}

} // namespace windrow::compiler::comm
