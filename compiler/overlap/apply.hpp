// SPDX-License-Identifier: BSD-3-Clause
// Carries out a plan: calls that it puts off begin only, and are completed where it says. Runs in front of
// the optimiser, on code whose places are those of the source.
#pragma once

#include <llvm/IR/PassManager.h>

namespace windrow::compiler::overlap {

class apply_pass : public llvm::PassInfoMixin<apply_pass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

/// The named metadata that a module gets which has been here: its entries, which the runtime is told of where
/// checks are put in. None is on without.
inline constexpr const char* entries_of_plan = "windrow.overlap.plan";

/// Metadata of puts that are no signals to anybody, as the plan has it.
inline constexpr const char* silent_put = "windrow.silent_put";

} // namespace windrow::compiler::overlap
