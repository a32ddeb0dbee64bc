// SPDX-License-Identifier: BSD-3-Clause
// Where ways through a function meet again, as a reader sees it: ways that end the program (assert, abort) do
// not count, unless no other one is left.
#pragma once

#include <vector>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

class post_dominators {
 public:
  explicit post_dominators(Function& function);

  /// The first block that all ways from `block` to a return pass; null if there is none. Where no return
  /// follows, to the end of the program; where that does not either, once around the endless loop.
  BasicBlock* operator()(const BasicBlock* block) const { return immediate_.lookup(block); }

 private:
  DenseMap<const BasicBlock*, BasicBlock*> immediate_;
};

} // namespace windrow::compiler
