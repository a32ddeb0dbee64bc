// SPDX-License-Identifier: BSD-3-Clause
// What a loop must not have, so that its accesses may be made at another time.
#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include <string>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::comm {

/// Why an instruction of a loop keeps its accesses where they are; empty if it does not.
std::string obstacle_of(Instruction& instruction);

/// Where a loop is left other than at its end: " at line 5", or by what ends the program: " by abort at line
/// 5". Empty if that is not known.
std::string way_out_of(const Loop& loop);

/// Whether the instruction changes nothing, whatever LLVM says of it: it is for the debugger, for LLVM, or
/// for the processor's cache.
bool is_hint(const Instruction& instruction);

/// Whether the instruction changes nothing that a loop may use: a hint, or a function of the C library that
/// computes a number from numbers, and says in `errno` if it cannot, where this file does not name that.
bool changes_nothing(const Instruction& instruction);

/// Whether the call computes something from its arguments and memory of this PE, and returns.
bool only_computes(const CallBase& call);

/// Whether the call changes nothing, and uses no memory but this PE's.
bool only_reads_here(const CallBase& call);

/// Whether the instruction is a call that may do more than read memory of this PE: wait for others, above
/// all.
bool may_synchronise(const Instruction& instruction);

} // namespace windrow::compiler::comm
