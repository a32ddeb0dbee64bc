// SPDX-License-Identifier: BSD-3-Clause
// Which event a routine of the library is, and which of its arguments are what.
#pragma once

#include <optional>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::overlap {

/// As in windrow/detail/overlap_calls.h.
enum class action : uint32_t {
  put,
  get,
  update,
  put_signal,
  fence,
  quiet,
  barrier,
  collective,
  notify,
  wait,
  test
};
enum flag : uint32_t {
  blocking = 1,
  atomic = 2,
  last = 4,
  implied = 8,
  silent = 16,
  floating = 32,
  gathers = 64,
  scatters = 128,
  opens = 256,
  adds = 512,
  handle = 1024
};

/// Null values are 0. Of a routine of the symmetric heap, which is a barrier, `count` blocks of `block` bytes
/// are what it is to give, and `local` what it is to take. The `signal` of a barrier or collective of an
/// active set is its work array.
struct library_event {
  action what;
  uint32_t flags = 0;
  uint64_t element_bytes = 0;
  Value *context = nullptr, *team = nullptr, *remote = nullptr, *local = nullptr, *signal = nullptr;
  Value *count = nullptr, *block = nullptr, *remote_stride = nullptr, *local_stride = nullptr, *pe = nullptr;
  Value *first = nullptr, *log2_stride = nullptr, *members = nullptr;
};

enum class library_use {
  none,   ///< no routine of the library, or one that may do anything
  silent, ///< orders and moves nothing
  event
};
/// What the call is; `to` is filled if it is an event.
library_use event_of_call(const CallBase& call, library_event& to);

struct written_argument {
  unsigned argument;
  uint64_t bytes;
};
/// What a silent routine writes of its caller's memory.
ArrayRef<written_argument> written_by(const CallBase& call);

/// An array of its caller's that a routine uses besides.
struct used_array {
  Value* begin;
  uint64_t element_bytes;
  bool is_written;
};
/// Those of routines that wait for several words or test them, as long as their array of words.
SmallVector<used_array, 3> arrays_beside(const CallBase& call, const library_event& of);

/// Strided transfers that return before they are complete are routines of the runtime: OpenSHMEM has none.
inline constexpr StringLiteral begin_iput = "windrow_overlap_begin_iput";
inline constexpr StringLiteral begin_iget = "windrow_overlap_begin_iget";
inline bool begins_strided(StringRef name) {
  return name == begin_iput || name == begin_iget;
}

} // namespace windrow::compiler::overlap
