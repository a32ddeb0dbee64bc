// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/analysis/library_use.hpp"

#include "compiler/common/api/calls.hpp"

namespace windrow::compiler {

namespace {

// Whether code is here to see, and does nothing with the library.
class abstinence {
 public:
  explicit abstinence(function_ref<bool(const CallBase&)> allowed) : allowed_(allowed) {}

  bool of(const CallBase& call) {
    if (allowed_(call)) return true;
    const auto* callee = call.getCalledFunction();
    if (!callee || call.isInlineAsm()) return false;
    if (callee->isIntrinsic() || is_instrumentation(call) || is_query(callee->getName()) ||
        call.onlyReadsMemory())
      return true;
    if (callee->isDeclaration() || callee->isInterposable()) return false;
    return !seen_.insert(callee).second || all_of(instructions(*callee), [&](const Instruction& instruction) {
      const auto* inner = dyn_cast<CallBase>(&instruction);
      return !inner || of(*inner);
    });
  }

 private:
  function_ref<bool(const CallBase&)> allowed_;
  SmallPtrSet<const Function*, 8> seen_;
};

} // namespace

bool uses_library(const Loop& loop, function_ref<bool(const CallBase&)> allowed) {
  return any_of(loop.blocks(), [&](const BasicBlock* block) {
    return any_of(*block, [&](const Instruction& instruction) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      return call && !abstinence(allowed).of(*call);
    });
  });
}

Loop* widest_loop(const Instruction& place, const LoopInfo& loops, function_ref<bool(const Loop&)> fits) {
  Loop* widest = nullptr;
  for (auto* loop = loops.getLoopFor(place.getParent()); loop && fits(*loop); loop = loop->getParentLoop())
    widest = loop;
  return widest;
}

} // namespace windrow::compiler
