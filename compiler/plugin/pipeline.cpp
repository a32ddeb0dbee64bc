// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/plugin/pipeline.hpp"

#include <llvm/Passes/PassBuilder.h>

#include "compiler/common/llvm/names.hpp"
#include "compiler/defer/pass.hpp"
#include "compiler/overlap/pass.hpp"

namespace windrow::compiler {

void register_passes(PassBuilder& builder) {
  builder.registerPipelineStartEPCallback([](ModulePassManager& manager, OptimizationLevel) {
    if (defer::active_rules().defer) manager.addPass(defer::defer_pass());
  });
  builder.registerOptimizerLastEPCallback([](ModulePassManager& manager, OptimizationLevel, auto&&...) {
    if (overlap::is_wanted()) manager.addPass(overlap::overlap_pass());
  });
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager& manager, ArrayRef<PassBuilder::PipelineElement>) {
        if (name == defer::pass_name) return manager.addPass(defer::defer_pass()), true;
        if (name == overlap::pass_name) return manager.addPass(overlap::overlap_pass()), true;
        return false;
      });
}

} // namespace windrow::compiler
