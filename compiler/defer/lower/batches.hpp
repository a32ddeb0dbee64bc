// SPDX-License-Identifier: BSD-3-Clause
// Records of one place that follow one another, as a batch: what they have in common is stored once.
#pragma once

#include "compiler/defer/code.hpp"

namespace windrow::compiler::defer {

/// Makes the records of a callback parts of batches where that can be: they are opened in place, no other
/// record refers to them, and they are opened in a loop or by the programmer's function; not where nothing is
/// optimised. To be called when all callbacks are made.
void put_in_batches(code& callback);

/// Gives the runs of a record that is made in place their code, when it is known how it is laid out, and
/// whether its body opens others.
void complete_runs(code& callback, bool leads_to_others);

} // namespace windrow::compiler::defer
