// SPDX-License-Identifier: BSD-3-Clause
// Brings a function with directives into the shape that the analyses expect, without a change of what it
// does.
#pragma once

#include "compiler/common/llvm/names.hpp"
#include "compiler/defer/rules.hpp"

namespace windrow::compiler::defer {

void normalise(Function& function, const rules& switches);

} // namespace windrow::compiler::defer
