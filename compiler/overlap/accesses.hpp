// SPDX-License-Identifier: BSD-3-Clause
// Loads, stores, and ranges of memory that the function touches by itself.
#pragma once

#include "compiler/overlap/instrument.hpp"

namespace windrow::compiler::overlap {

/// Puts a check before each access of memory that a transfer may know of, but for those of blocks that are
/// `unchecked`. One that follows another of the same memory in the same block, with no call between, needs
/// none.
void instrument_accesses(Function& function, const SmallPtrSet<const BasicBlock*, 32>& unchecked,
                         instruments& with);

/// The end of life of variables on the stack that others know of: where the function returns, and where the
/// optimiser says.
void instrument_ends_of_life(Function& function, instruments& with);

} // namespace windrow::compiler::overlap
