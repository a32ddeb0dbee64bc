// SPDX-License-Identifier: BSD-3-Clause
// What clang's -fpass-plugin= and opt's -load-pass-plugin= look for.
#include <llvm/Passes/PassPlugin.h>

#include "compiler/plugin/pipeline.hpp"

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "windrow", "0.1", windrow::compiler::register_passes};
}
