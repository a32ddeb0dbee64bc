// SPDX-License-Identifier: BSD-3-Clause
// Inline assembly that defines symbols, which a program may have once only.
#pragma once

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::defer {

/// Marks such code of the module as what must not be copied, to this pass and to others, which would inline
/// it into each version of a function. Labels that are numbers, that have a number of each copy in them (%=),
/// or that are defined only where they are not yet, define none.
void keep_definitions_single(Module& module);

} // namespace windrow::compiler::defer
