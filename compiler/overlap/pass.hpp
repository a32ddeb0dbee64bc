// SPDX-License-Identifier: BSD-3-Clause
// Instruments a program, for `windrow overlap record` and for plans. It runs at the end of the optimiser, at
// every level.
#pragma once

#include <llvm/IR/PassManager.h>

namespace windrow::compiler::overlap {

/// Its name for opt.
inline constexpr const char* pass_name = "windrow-overlap";

class overlap_pass : public llvm::PassInfoMixin<overlap_pass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

/// Runs in front of the optimiser: it makes no one call of several calls of the library, which would have no
/// line.
class keep_calls_pass : public llvm::PassInfoMixin<keep_calls_pass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

/// Whether clang was asked for it, by -fplugin-arg-windrow-overlap or a plan.
bool& is_wanted();
/// Whether accesses are checked. Tests leave that out, to see what a plan alone does.
bool& has_guards();

} // namespace windrow::compiler::overlap
