// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/plugin/pipeline.hpp"

#include <llvm/Passes/PassBuilder.h>

#include "compiler/comm/pass.hpp"
#include "compiler/comm/promises.hpp"
#include "compiler/comm/rolled.hpp"
#include "compiler/common/llvm/names.hpp"
#include "compiler/defer/pass.hpp"
#include "compiler/overlap/apply.hpp"
#include "compiler/overlap/pass.hpp"
#include "compiler/overlap/plan.hpp"

namespace windrow::compiler {

void register_passes(PassBuilder& builder) {
  builder.registerPipelineStartEPCallback([](ModulePassManager& manager, OptimizationLevel) {
    if (overlap::is_wanted()) manager.addPass(overlap::keep_calls_pass());
    if (overlap::active_plan()) manager.addPass(overlap::apply_pass());
    manager.addPass(comm::promise_pass());
    manager.addPass(defer::defer_pass());
  });
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager& manager, OptimizationLevel) { manager.addPass(comm::rolled_pass()); });
  builder.registerOptimizerEarlyEPCallback([](ModulePassManager& manager, OptimizationLevel level) {
    if (level != OptimizationLevel::O0) manager.addPass(comm::comm_pass());
  });
  builder.registerOptimizerLastEPCallback([](ModulePassManager& manager, OptimizationLevel, auto&&...) {
    if (overlap::is_wanted()) manager.addPass(overlap::overlap_pass());
  });
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager& manager, ArrayRef<PassBuilder::PipelineElement>) {
        if (name == defer::pass_name)
          manager.addPass(defer::defer_pass());
        else if (name == comm::pass_name)
          manager.addPass(comm::comm_pass());
        else if (name == overlap::pass_name)
          manager.addPass(overlap::overlap_pass());
        else
          return false;
        return true;
      });
}

} // namespace windrow::compiler
