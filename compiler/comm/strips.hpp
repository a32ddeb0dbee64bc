// SPDX-License-Identifier: BSD-3-Clause
// The loop in strips: the bulk reads of a strip, its rounds on buffers, and its bulk writes. Beside it stays
// the loop as it was, for few rounds, for memory that can be loaded directly, and for places that meet.
#pragma once

#include "compiler/comm/loop_plan.hpp"

namespace windrow::compiler::comm {

/// The plan has transfers, or gathered reads. Analyses of the function are out of date behind it. The
/// accesses of the loop as it was are settled, or marked as copies in a nest. Returns the header of the loop
/// of strips.
BasicBlock& put_in_strips(Loop& loop, const loop_plan& plan, known_facts& facts);

} // namespace windrow::compiler::comm
