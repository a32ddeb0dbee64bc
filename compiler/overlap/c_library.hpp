// SPDX-License-Identifier: BSD-3-Clause
// What functions of the C library touch.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::overlap {

enum class reach {
  unknown,   ///< more than its arguments show, or no function of the library
  arguments, ///< what its pointers point to
  heap       ///< blocks of the heap, as long as the program does not replace it
};
reach reach_of(const CallBase& call, const TargetLibraryInfo& library);

/// Whether it ends the life of what its first argument points to.
bool frees(StringRef name);

} // namespace windrow::compiler::overlap
