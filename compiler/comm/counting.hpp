// SPDX-License-Identifier: BSD-3-Clause
// Whether a loop comes to its end by itself.
#pragma once

#include "compiler/comm/analyses.hpp"

namespace windrow::compiler::comm {

/// Whether the loop ends whatever other PEs do meanwhile: it counts, perhaps to a bound that is loaded anew.
bool counts(const Loop& loop, known_facts& facts);

/// Whether the end of the block, which may leave the loop, compares a counter of it, in whichever way.
bool compares_counter(const BasicBlock& block, const Loop& loop, ScalarEvolution& evolution);
/// Whether an exit of the loop does so in each round.
bool steps_to_bound(const Loop& loop, known_facts& facts);

} // namespace windrow::compiler::comm
