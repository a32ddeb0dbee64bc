// SPDX-License-Identifier: BSD-3-Clause
// Values of a bulk fetch that stay where they are until deferred code needs them.
#pragma once

#include "compiler/defer/code.hpp"

namespace windrow::compiler::defer {

/// If the record of the callback is made in place behind a range: the callback loads from where its record
/// says that the values are. Others may store there meanwhile, so each value is loaded once. To be called
/// when all callbacks are made: until then the values count as a part of the record, in which they may be.
void load_from_range(code& callback);

} // namespace windrow::compiler::defer
