// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/analysis/visible_code.hpp"

namespace windrow::compiler {

namespace {

class code_search {
 public:
  explicit code_search(judgement judge) : judge_(judge) {}

  bool holds_in(const Function& function) {
    if (!is_visible(&function)) return false;
    return !seen_.insert(&function).second ||
           all_of(instructions(function), [&](const Instruction& one) { return holds_for(one); });
  }

  bool holds_for(const Instruction& instruction) {
    if (const auto answer = judge_(instruction)) return *answer;
    const auto* callee = cast<CallBase>(instruction).getCalledFunction();
    return callee && holds_in(*callee);
  }

 private:
  judgement judge_;
  SmallPtrSet<const Function*, 8> seen_;
};

} // namespace

bool is_visible(const Function* function) {
  if (!function || function->isDeclaration() || function->isInterposableLinkage(function->getLinkage()))
    return false;
  return function->isDSOLocal() || !function->isInterposable(); // which looks up a flag of the module
}

bool holds_for(const Instruction& instruction, judgement judge) {
  return code_search(judge).holds_for(instruction);
}

bool holds_in(const Function& function, judgement judge) {
  return code_search(judge).holds_in(function);
}

} // namespace windrow::compiler
