// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// Whether the loop may do something with the library, or is not all here to see. `allowed` says of which
/// calls it does not matter.
bool uses_library(const Loop& loop, function_ref<bool(const CallBase&)> allowed);

/// Whether the call is known to do nothing with other PEs: its code is here to see, or it is the compiler's
/// own library's, or it uses no memory but that of its arguments. That a function only reads (`pure`) says
/// nothing about whose memory it reads.
bool keeps_off_pes(const CallBase& call);

/// The widest loop around the place that fits, with all loops in between; or null.
Loop* widest_loop(const Instruction& place, const LoopInfo& loops, function_ref<bool(const Loop&)> fits);

} // namespace windrow::compiler
