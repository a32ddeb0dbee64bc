// SPDX-License-Identifier: BSD-3-Clause
// What LLVM knows of a function.
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

#include "compiler/comm/code_motion.hpp"
#include "compiler/comm/memory_readers.hpp"
#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::comm {

/// As long as nothing is changed but what each pass of LLVM keeps right itself.
struct known_facts {
  known_facts(Function& function, FunctionAnalysisManager& manager)
      : loops(manager.getResult<LoopAnalysis>(function)),
        dominators(manager.getResult<DominatorTreeAnalysis>(function)),
        behind(manager.getResult<PostDominatorTreeAnalysis>(function)),
        evolution(manager.getResult<ScalarEvolutionAnalysis>(function)),
        aliases(manager.getResult<AAManager>(function)),
        assumptions(manager.getResult<AssumptionAnalysis>(function)),
        readers(aliases) {}

  LoopInfo& loops;
  DominatorTree& dominators;
  PostDominatorTree& behind;
  ScalarEvolution& evolution;
  AAResults& aliases;
  AssumptionCache& assumptions;
  code_motion moved; ///< by `hoist_operands`, as long as it may have to go back
  memory_readers readers;
  DenseMap<const CallInst*, bool> waits; ///< of reads, what `may_wait` has found
};

} // namespace windrow::compiler::comm
