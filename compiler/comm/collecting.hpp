// SPDX-License-Identifier: BSD-3-Clause
// A loop whose writes are collected, and made behind it. Beside it stays the loop as it was, for jobs whose
// PEs all share memory.
#pragma once

#include "compiler/comm/write_regions.hpp"

namespace windrow::compiler::comm {

/// Analyses of the function are out of date behind it. The accesses of the loop as it was are settled.
void collect_writes(const write_region& region, known_facts& facts);

} // namespace windrow::compiler::comm
