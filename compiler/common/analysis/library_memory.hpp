// SPDX-License-Identifier: BSD-3-Clause
// Memory of the program that functions of C's library use although their arguments do not name it: a stream
// writes to a buffer which it has been given, or made, before.
#pragma once

#include "compiler/common/analysis/origins.hpp"
#include "compiler/common/api/c_library.hpp"

namespace windrow::compiler {

/// Whether the library calls functions of the program.
bool library_calls_back(const Module& module);

/// The objects that this function knows, of those that the module gives to the library: variables of all, its
/// own, and what its parameters point to. Of others it knows no name, and that pointers to them do not meet
/// these is the programmer's promise.
SmallSetVector<const origin*, 4> library_memory_known_in(const Function& function, origins& pointers);

} // namespace windrow::compiler
