// SPDX-License-Identifier: BSD-3-Clause
// A bound that each round loads anew (`i < a->n`), loaded once in front of the loop.
#pragma once

#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/comm/stores.hpp"

namespace windrow::compiler::comm {

class frozen_bound {
 public:
  /// If the loop has such a bound, and nothing else is in the way, makes it compare with a value that was
  /// loaded in front of the loop. Then the loop is right only where `apart` holds, and all writes to PEs are
  /// to far ones if `needs_far_writes`. Else `obstacle` says why, if it is known.
  void freeze(Loop& loop, known_facts& facts);
  bool is_frozen() const { return once_ != nullptr; }
  /// Back to the loop as it was.
  void thaw(Loop& loop, known_facts& facts);
  /// In a copy of the loop, given copies of its instructions.
  void thaw_copy(ValueToValueMapTy& copies) const;

  bool needs_far_writes() const { return needs_far_writes_; }
  const std::string& obstacle() const { return obstacle_; }
  /// What the loop stores, and the bound.
  ArrayRef<std::pair<stepping_place, stepping_place>> apart() const { return apart_; }

 private:
  LoadInst* find(ICmpInst& compare, Loop& loop, known_facts& facts);
  bool compare_with_reads(const MemoryLocation& bound, Loop& loop, known_facts& facts);
  bool compare_with_stores(const MemoryLocation& bound, Loop& loop, known_facts& facts);
  void compare_with_writes(const MemoryLocation& bound, Loop& loop, known_facts& facts);

  Instruction* compares_ = nullptr; ///< the comparison, or the conversion in front of it
  LoadInst* each_round_ = nullptr;
  LoadInst* once_ = nullptr;
  bool needs_far_writes_ = false;
  std::string obstacle_;
  SmallVector<std::pair<stepping_place, stepping_place>, 2> apart_;
};

} // namespace windrow::compiler::comm
