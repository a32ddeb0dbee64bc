// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::defer {

/// Metadata of the variables of functions that have been put in the place of their calls.
inline constexpr const char* of_callee = "windrow.callee";

/// Takes out copies in memory that are written once: parameters of functions that were inlined, and
/// references, `this`, captures of lambdas, which hold addresses of variables of `function`. So an argument
/// is the same expression as if it stood there, and no address escapes.
void forward_copies(Function& function);

} // namespace windrow::compiler::defer
