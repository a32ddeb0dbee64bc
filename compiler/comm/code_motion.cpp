// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/code_motion.hpp"

#include <llvm/ADT/STLExtras.h>

namespace windrow::compiler::comm {

void code_motion::move(Instruction& one, Instruction& before) {
  steps_.push_back({&one, one.getNextNode()});
  one.moveBefore(&before);
}

void code_motion::replace(PHINode& one, Value& by) {
  for (auto& use : one.uses()) uses_.emplace_back(&use, &one);
  steps_.push_back({&one, nullptr});
  one.replaceAllUsesWith(&by);
}

// A phi may have been an operand of another one that was replaced later.
void code_motion::take_back(const Loop& loop, ScalarEvolution& evolution) {
  for (const auto& [use, phi] : reverse(uses_)) use->set(phi);
  for (const auto& [moved, next] : reverse(steps_)) {
    if (next) moved->moveBefore(next);
    evolution.forgetValue(moved);
  }
  if (!steps_.empty()) evolution.forgetLoop(&loop);
  steps_.clear();
  uses_.clear();
}

void code_motion::keep() {
  for (const auto& [moved, next] : steps_)
    if (!next) moved->replaceAllUsesWith(PoisonValue::get(moved->getType()));
  for (const auto& [moved, next] : steps_)
    if (!next) moved->eraseFromParent();
  steps_.clear();
  uses_.clear();
}

} // namespace windrow::compiler::comm
