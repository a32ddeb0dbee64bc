// SPDX-License-Identifier: BSD-3-Clause
// What clang's -fpass-plugin= and opt's -load-pass-plugin= look for.
#include <llvm/Passes/PassPlugin.h>

#include "compiler/common/report/diagnostics.hpp"
#include "compiler/plugin/pipeline.hpp"

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, windrow::defer::pass_name, "0.1", windrow::defer::register_passes};
}
