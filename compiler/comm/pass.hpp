// SPDX-License-Identifier: BSD-3-Clause
// The pass. It runs on optimised code, in front of LLVM's own vectoriser, if -fcomm is given.
#pragma once

#include <llvm/IR/PassManager.h>

namespace windrow::compiler::comm {

/// Its name for opt, and in what it tells.
inline constexpr const char* pass_name = "windrow-comm";

class comm_pass : public llvm::PassInfoMixin<comm_pass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace windrow::compiler::comm
