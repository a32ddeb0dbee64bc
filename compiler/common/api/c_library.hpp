// SPDX-License-Identifier: BSD-3-Clause
// What functions of C's library do, by their names and types: LLVM knows some, we more.
#pragma once

#include <optional>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// Whether that is one of the C library, as LLVM knows it, and neither a function of this file nor, because
/// of -fno-builtin, one of the program's.
bool is_of_c_library(const CallBase& call);

struct c_effects {
  bool writes = false; ///< what its arguments point to; it only reads that otherwise
  bool output = false; ///< outside of memory, or on what the library keeps, as streams and random numbers
  bool frees = false;
  bool throws = false;
  bool sets_errno = false;
  bool reads_environment = false; ///< strings of the program, perhaps
};

/// Empty if it is no function of C's library, or one that uses memory which neither its arguments name nor
/// what the library has been given before: by functions that it calls, say.
std::optional<c_effects> effects_of_c_function(const CallBase& call);

/// The argument that is stored, or an address behind it, where the argument `holder` points to: in strtol it
/// is the text, for where it ends.
std::optional<unsigned> argument_left_in(const CallBase& call, unsigned holder);

/// Whether nobody has an address from the call that is given to it, or has it still: of those that print to
/// memory, read texts, or store numbers.
bool forgets_its_arguments(const CallBase& call);

/// Whether what it returns, or uses, may have been given to an earlier call.
bool returns_what_it_was_given(const CallBase& call);
/// The argument that points to an address which the function goes on from, as strtok_r does.
const Value* place_of_cursor(const CallBase& call);

/// A function that keeps addresses for the library to write to later: how many of its arguments, from
/// `first`, are such, and whether what these point to is one, too.
struct keeping_function {
  StringLiteral name;
  unsigned first, number;
  bool behind;
};
ArrayRef<keeping_function> keeping_functions();
/// Makes the library call functions of the program where it would not otherwise: behind a stream, say.
bool makes_library_call_back(StringRef function);

} // namespace windrow::compiler
