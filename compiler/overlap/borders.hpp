// SPDX-License-Identifier: BSD-3-Clause
// Where code with checks is entered from code without, and returns to it: nothing may be put off beyond that.
#pragma once

#include "compiler/overlap/instrument.hpp"

namespace windrow::compiler::overlap {

/// Calls tell whom they call, and functions that others can call look whether they were meant; at their end
/// all is completed if not.
void guard_borders(Function& function, instruments& with);

} // namespace windrow::compiler::overlap
