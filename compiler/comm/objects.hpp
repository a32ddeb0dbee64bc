// SPDX-License-Identifier: BSD-3-Clause
// What a pointer may point to in any round of the loops around. LLVM compares two pointers that are chosen
// anew in each round (two buffers that are swapped) as they are in one round, even where it is asked about
// several.
#pragma once

#include <llvm/Analysis/MemoryLocation.h>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::comm {

/// The place itself; of a pointer that is chosen, whole objects in its stead.
SmallVector<MemoryLocation, 2> in_any_round(const MemoryLocation& place);

} // namespace windrow::compiler::comm
