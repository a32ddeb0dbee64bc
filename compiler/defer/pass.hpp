// SPDX-License-Identifier: BSD-3-Clause
// The pass. It runs at the start of the pipeline, at every optimisation level.
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/defer/rules.hpp"

namespace windrow::compiler::defer {

/// Its name for opt, and in what it tells.
inline constexpr const char* pass_name = "windrow-defer";

class defer_pass : public llvm::PassInfoMixin<defer_pass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

/// What holds in this compiler: one and the same for the two ways in which clang may have been given the
/// pass.
rules& active_rules();

} // namespace windrow::compiler::defer
