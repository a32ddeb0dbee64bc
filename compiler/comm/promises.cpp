// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/promises.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/common/api/marker.hpp"
#include "compiler/common/api/routines.hpp"

namespace windrow::compiler::comm {

namespace {

struct promise {
  IntrinsicInst* annotation;
  BasicBlock* entry; ///< of the statement; null if no compiler makes such code of the directive
  bool relaxed;
};

SmallVector<promise, 4> promises_of(Function& function) {
  SmallVector<promise, 4> found;
  for (auto& instruction : instructions(function))
    if (const auto word = annotation_text(instruction, promise_text)) {
      auto* annotation = cast<IntrinsicInst>(&instruction);
      auto* branch = branch_of(*annotation);
      found.push_back({annotation, branch ? branch->getSuccessor(0) : nullptr, *word == "relaxed"});
    }
  return found;
}

// Of several around a call the innermost one counts: its entry is behind those of the others.
void tell_accesses(Function& function, ArrayRef<promise> promises) {
  const DominatorTree dominators(function);
  for (auto& instruction : instructions(function)) {
    if (!access_of(instruction)) continue;
    const promise* innermost = nullptr;
    for (const auto& one : promises)
      if (one.entry && dominators.dominates(one.entry, instruction.getParent()) &&
          (!innermost || dominators.dominates(innermost->entry, one.entry)))
        innermost = &one;
    if (innermost) set_promise(cast<CallBase>(instruction), innermost->relaxed);
  }
}

// Without that, each of them could be the end of a loop, and has a handler in functions of C++.
void tell_what_is_known(Function& function) {
  for (auto& instruction : instructions(function))
    if (is_blocking_access(instruction)) {
      cast<CallBase>(instruction).setDoesNotThrow();
      cast<CallBase>(instruction).addFnAttr(Attribute::WillReturn);
    }
}

} // namespace

PreservedAnalyses promise_pass::run(Module& module, ModuleAnalysisManager&) {
  bool found = active_options().is_on();
  for (auto& function : module) {
    if (active_options().is_on()) tell_what_is_known(function);
    const auto promises = promises_of(function);
    if (promises.empty()) continue;
    tell_accesses(function, promises);
    for (const auto& one : promises) {
      one.annotation->replaceAllUsesWith(ConstantInt::get(one.annotation->getType(), 1));
      one.annotation->eraseFromParent();
    }
    found = true;
  }
  return found ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace windrow::compiler::comm
