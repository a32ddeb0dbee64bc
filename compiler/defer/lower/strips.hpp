// SPDX-License-Identifier: BSD-3-Clause
// Loops that open records of one batch and do nothing else with the library: what that takes stays in
// registers (strip mining, inlined/strips.hpp).
#pragma once

#include "compiler/defer/code.hpp"

namespace windrow::compiler::defer {

/// Lets the widest loop around the place of the callback's records that does nothing else with the library
/// keep a strip, and gives it back wherever that loop ends. For records in batches; to be called when all of
/// them are laid out.
void open_in_strips(code& callback);

} // namespace windrow::compiler::defer
