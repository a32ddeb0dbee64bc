// SPDX-License-Identifier: BSD-3-Clause
// What a callback only reads of its record.
#pragma once

#include "compiler/defer/code.hpp"

namespace windrow::compiler::defer {

/// Loads captured variables that the callback only reads once, in front of its code. A store of an item could
/// overlap the record for all that the optimiser knows: it would load them again in each round of a loop, and
/// leave there what it computes from them. To be called when all scopes inside have callbacks of their own.
void load_fields_first(code& callback);

} // namespace windrow::compiler::defer
