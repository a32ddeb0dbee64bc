// SPDX-License-Identifier: BSD-3-Clause
// `#pragma shmem relaxed` and `#pragma shmem strict`: at the start of the pipeline each access of the
// statement is told which of them it stands behind, and the directives are gone. With -fcomm LLVM learns
// what it may know of accesses.
#pragma once

#include <llvm/IR/PassManager.h>

namespace windrow::compiler::comm {

class promise_pass : public llvm::PassInfoMixin<promise_pass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace windrow::compiler::comm
