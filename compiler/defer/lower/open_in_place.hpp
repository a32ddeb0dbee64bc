// SPDX-License-Identifier: BSD-3-Clause
// A record that is opened, with its fetches, where it is complete, in place of the calls to the runtime.
#pragma once

#include "compiler/defer/outline/record_calls.hpp"

namespace windrow::compiler::defer {

/// Replaces the calls by one in front of `end`, where the record is complete, if nothing in between could see
/// the difference and there is such a function. `units`: of the scope. `copies_memory`: the record has copies
/// of variables.
bool open_in_place(const record_calls& calls, ArrayRef<unit> units, code& outer, code& callback,
                   Instruction& end, bool copies_memory);

} // namespace windrow::compiler::defer
