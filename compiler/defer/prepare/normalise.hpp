// SPDX-License-Identifier: BSD-3-Clause
// Brings a function with directives into the shape that the analyses expect, without a change of what it
// does.
#pragma once

#include "compiler/common/llvm/names.hpp"
#include "compiler/defer/rules.hpp"

namespace windrow::compiler::defer {

/// Puts routines in place of the overloads of C++ that only call them, and small functions that statements
/// behind directives call in place of the calls. Part of what follows.
void show_routines(Function& function, const rules& switches);

/// With `separate_ends`, arms whose fetched value is used behind them, as in memory += c ? fetch : 5, have
/// that code for themselves. Returns how often.
unsigned normalise(Function& function, const rules& switches, bool separate_ends);

} // namespace windrow::compiler::defer
