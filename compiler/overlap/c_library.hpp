// SPDX-License-Identifier: BSD-3-Clause
// What functions of the C library touch.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>

#include <optional>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::overlap {

enum class reach {
  unknown,   ///< more than its arguments show, or no function of the library
  arguments, ///< what its pointers point to
  stream,    ///< the same, and a stream, which may be kept in memory of the program
  heap       ///< blocks of the heap, as long as the program does not replace it
};
reach reach_of(const CallBase& call, const TargetLibraryInfo& library);

/// A text that the function reads to its end, or as many bytes as an argument or `most` says; it may write as
/// many to another argument.
struct used_text {
  unsigned argument;
  std::optional<unsigned> limit, copy;
  uint64_t most = UINT64_MAX;
};
SmallVector<used_text, 2> texts_of(const CallBase& call);

/// Whether it ends the life of what its first argument points to.
bool frees(StringRef name);

/// A stream is one of its arguments, or a variable of the library.
struct used_stream {
  std::optional<unsigned> argument;
  StringRef variable;
  bool is_written;
};
used_stream stream_of(const CallBase& call);

/// Whether its first argument is a descriptor that it reads from or writes to.
bool uses_descriptor(StringRef name);

} // namespace windrow::compiler::overlap
