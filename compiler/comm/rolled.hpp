// SPDX-License-Identifier: BSD-3-Clause
// Loops of a known number of rounds that clang would unroll in whole, before they can be put in strips.
#pragma once

#include <llvm/Transforms/Scalar/LoopPassManager.h>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::comm {

/// In front of LLVM's full unrolling: loops with accesses, of so many rounds that a transfer for all of them
/// is better than one for each, stay loops, and so do loops that poll. Others become accesses beside each
/// other.
class rolled_pass : public PassInfoMixin<rolled_pass> {
 public:
  PreservedAnalyses run(Loop& loop, LoopAnalysisManager&, LoopStandardAnalysisResults& facts, LPMUpdater&);
};

} // namespace windrow::compiler::comm
