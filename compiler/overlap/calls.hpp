// SPDX-License-Identifier: BSD-3-Clause
// Calls: of the library, which become events, and of code that may not be instrumented.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>

#include "compiler/overlap/instrument.hpp"

namespace windrow::compiler::overlap {

void instrument_calls(Function& function, const TargetLibraryInfo& library, instruments& with);

} // namespace windrow::compiler::overlap
