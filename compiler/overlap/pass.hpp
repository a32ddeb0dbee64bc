// SPDX-License-Identifier: BSD-3-Clause
// Instruments a program for `windrow overlap record`. It runs at the end of the optimiser, at every level.
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

/// Whether clang was asked for it, by -fplugin-arg-windrow-overlap.
bool& is_wanted();

} // namespace windrow::compiler::overlap
