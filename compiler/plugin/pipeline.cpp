// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/plugin/pipeline.hpp"

#include <llvm/Passes/PassBuilder.h>

#include "compiler/common/llvm/names.hpp"
#include "compiler/defer/pass.hpp"

namespace windrow::compiler {

void register_passes(PassBuilder& builder) {
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager& manager, OptimizationLevel) { manager.addPass(defer::defer_pass()); });
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager& manager, ArrayRef<PassBuilder::PipelineElement>) {
        if (name != defer::pass_name) return false;
        manager.addPass(defer::defer_pass());
        return true;
      });
}

} // namespace windrow::compiler
