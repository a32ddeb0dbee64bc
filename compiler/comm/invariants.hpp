// SPDX-License-Identifier: BSD-3-Clause
// What the place of an access is made of, moved to the front of the loop.
#pragma once

#include "compiler/comm/analyses.hpp"

namespace windrow::compiler::comm {

/// Moves what `value` is computed from to the front of the loop, where it is the same in each round and
/// nothing in the loop can change it: the PEs of `(shmem_my_pe() + 1) % shmem_n_pes()`, and members of an
/// object that is known by its address. For loops that are left at their end alone, by code that returns:
/// then the first round would compute it in any case. LLVM itself takes an access for something that may
/// change all memory. Here that is so of reads that may wait for another PE, since what that one has written
/// is loaded behind them (`may_wait`). `facts.moved` has what was moved.
void hoist_operands(Value& value, Loop& loop, known_facts& facts);

/// The loop is left at its end alone.
bool ends_at_its_latch(const Loop& loop);

/// The same of the places and PEs of all accesses of the loop, and in the loops inside too, for which their
/// accesses may be left, and of what is decided in the loop, and in those in it, but whether they go on: that
/// only where it is a counter that is compared, since what is looked at again and again is looked at for a
/// change.
void hoist_places(Loop& loop, known_facts& facts);

} // namespace windrow::compiler::comm
