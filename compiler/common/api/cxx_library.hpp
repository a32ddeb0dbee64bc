// SPDX-License-Identifier: BSD-3-Clause
// What functions of C++'s library do that stand in it, not in headers.
#pragma once

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

enum class cxx_effect {
  unknown,
  none,      ///< of memory of the program: exceptions
  arguments, ///< uses what is passed, and what that points to
};

cxx_effect effect_of_cxx_function(StringRef name);

} // namespace windrow::compiler
