// SPDX-License-Identifier: BSD-3-Clause
// The hooks of -finstrument-functions are called where the function that all versions stand for begins and
// ends.
#pragma once

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::defer {

/// Calls of hooks that -O0 has put into the function already become what asks for them.
void ask_for_hooks_later(Function& function);

/// The function, a version or a part of another one, calls no hooks of its own.
void drop_hooks(Function& version);

} // namespace windrow::compiler::defer
