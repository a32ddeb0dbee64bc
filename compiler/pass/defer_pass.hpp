// SPDX-License-Identifier: BSD-3-Clause
// The pass. It runs at the start of the pipeline, at every optimisation level.
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>

#include "compiler/pass/rules.hpp"

namespace windrow::defer {

class defer_pass : public llvm::PassInfoMixin<defer_pass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

/// What holds in this compiler: one and the same for the two ways in which clang may have been given the
/// pass.
rules& active_rules();

/// Puts the pass where it belongs.
void register_passes(llvm::PassBuilder& builder);

} // namespace windrow::defer
