// SPDX-License-Identifier: BSD-3-Clause
// What the formats of printf and its like say.
#pragma once

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// Whether the call is of printf or its like, and only reads what its arguments point to: its format is
/// known, and has no %n, which stores how much has been printed.
bool only_prints(const CallBase& call);

/// Whether a string of the module may be a format with %m, which prints what errno means.
bool may_print_errno(const Module& module);

} // namespace windrow::compiler
