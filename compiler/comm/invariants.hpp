// SPDX-License-Identifier: BSD-3-Clause
// What the place of an access is made of, moved to the front of the loop.
#pragma once

#include "compiler/comm/analyses.hpp"

namespace windrow::compiler::comm {

/// Moves what `value` is computed from to the front of the loop, where it is the same in each round and
/// nothing in the loop can change it: the PEs of `(shmem_my_pe() + 1) % shmem_n_pes()`, and members of an
/// object that is known by its address. For loops that are left at their end alone, by code that returns:
/// then the first round would compute it in any case. LLVM itself takes an access for something that may
/// change all memory.
void hoist_operands(Value& value, Loop& loop, known_facts& facts);

} // namespace windrow::compiler::comm
