// SPDX-License-Identifier: BSD-3-Clause
// Places that are others in each round of a loop, as elements by its counter are.
#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include "compiler/defer/code.hpp"

namespace windrow::compiler::defer {

/// Whether both are base[counter + something]: another place of `bytes` in each round, and the same one in a
/// round.
bool differ_in_each_round(const Loop& loop, const code& body, const DominatorTree& dominators,
                          const Value& one, const Value& other, uint64_t bytes);

} // namespace windrow::compiler::defer
