// SPDX-License-Identifier: BSD-3-Clause
// The arm of a condition that a fetch stands in, and how the fetch leaves it: to be made in any case.
#pragma once

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::defer {

/// What a block does behind a condition, or several that are one: a && b.
struct arm {
  SmallVector<BranchInst*, 2> ways; ///< inner ones first; not taken, they all lead to:
  BasicBlock* otherwise = nullptr;

  const BasicBlock* top() const { return ways.back()->getParent(); }
};

/// That of the block of the fetch, in the statement which begins with `entry`. Without ways: it stands in
/// none.
arm arm_of(const CallInst& fetch, const BasicBlock* entry);

/// The context, and what is fetched where the condition does not hold.
struct spare_arguments {
  Value *context, *source, *pe;
  Value* no_pe; ///< or null
};

/// Makes the fetch in any case; where the condition does not hold, of what is spare. Its block has ways.
void join_arm(CallInst& fetch, const BasicBlock* entry, const spare_arguments& spare);

} // namespace windrow::compiler::defer
