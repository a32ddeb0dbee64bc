// SPDX-License-Identifier: BSD-3-Clause
// What has been moved to the front of loops, as long as it may have to go back.
#pragma once

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Instructions.h>

#include <utility>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::comm {

class code_motion {
 public:
  void move(Instruction& one, Instruction& before);
  void replace(PHINode& one, Value& by);
  /// All is as it was, in its place. Nobody but `evolution` remembers how it was meanwhile.
  void take_back(const Loop& loop, ScalarEvolution& evolution);
  /// All stays where it is.
  void keep();

 private:
  struct step {
    Instruction* moved; ///< or the phi that is not used any more
    Instruction* next;  ///< null for that: what stood behind it
  };

  SmallVector<step, 8> steps_;
  SmallVector<std::pair<Use*, PHINode*>, 8> uses_; ///< of phis
};

} // namespace windrow::compiler::comm
