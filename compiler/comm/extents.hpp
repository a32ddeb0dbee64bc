// SPDX-License-Identifier: BSD-3-Clause
// Memory that all rounds of a loop use together, compared as the program runs.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/comm/stores.hpp"

namespace windrow::compiler::comm {

/// From the first byte to behind the last.
struct extent {
  Value *pe, *low, *end; ///< addresses as integers
};

/// Of `span` bytes in each round, which move by `step`, for so many rounds. `pe` may be null: this one.
extent extent_of(IRBuilder<>& builder, Value& start, Value* pe, int64_t step, uint64_t span, Value& rounds);

Value* do_not_meet(IRBuilder<>& builder, const extent& one, const extent& other);

} // namespace windrow::compiler::comm
