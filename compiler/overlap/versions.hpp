// SPDX-License-Identifier: BSD-3-Clause
// Loops without calls cannot begin a transfer: where none is under way in front of one, it needs no checks.
#pragma once

#include "compiler/overlap/instrument.hpp"

namespace windrow::compiler::overlap {

/// Gives each outermost such loop a second version, which is taken where nothing is under way. Returns the
/// blocks of these, which are to have no checks.
SmallPtrSet<const BasicBlock*, 32> make_versions_of_loops(Function& function, instruments& with);

} // namespace windrow::compiler::overlap
