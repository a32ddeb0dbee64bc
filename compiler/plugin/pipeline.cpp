// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/plugin/pipeline.hpp"

#include <llvm/Passes/PassBuilder.h>

#include "compiler/common/report/diagnostics.hpp"
#include "compiler/defer/pass.hpp"

namespace windrow::defer {

using namespace llvm;

void register_passes(PassBuilder& builder) {
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager& manager, OptimizationLevel) { manager.addPass(defer_pass()); });
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager& manager, ArrayRef<PassBuilder::PipelineElement>) {
        if (name != pass_name) return false;
        manager.addPass(defer_pass());
        return true;
      });
}

} // namespace windrow::defer
