// SPDX-License-Identifier: BSD-3-Clause
// Blocking accesses on the default context: g, p, and get and put of a number of bytes that is known.
#pragma once

#include <llvm/Analysis/MemoryLocation.h>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::comm {

struct plain_access {
  CallInst* call;
  bool reads;
  Value *remote, *pe;
  Value* local;   ///< memory of this PE; null: the value itself is an argument, or the result
  Value* value;   ///< what p writes; null for the others
  uint64_t bytes; ///< never 0

  /// "read" or "write", for messages.
  const char* noun() const { return reads ? "read" : "write"; }
  /// `local`, if that is not null.
  MemoryLocation here() const { return MemoryLocation(local, LocationSize::precise(bytes)); }
  /// Memory of the other PE, by its symmetric address.
  MemoryLocation there() const { return MemoryLocation(remote, LocationSize::precise(bytes)); }
};

/// Whether the call is one of those, of any number of bytes, or a strided get that stands for a whole loop.
/// It returns, and throws nothing. Not one that must take the place of its function (`musttail`).
bool is_blocking_access(const Instruction& instruction);

/// Empty if the instruction is something else.
std::optional<plain_access> plain_access_of(Instruction& instruction);

/// Whether the statement that the call stands in, or the whole file, promises that no other PE writes what is
/// read until this PE's next synchronisation. A file promises nothing for functions that others may share.
bool is_relaxed(const CallInst& call);
/// What would, for a call of which nothing does.
std::string promise_for(const CallInst& call);
/// Whether the linker may take this file's copy of the function for other files, or code of this copy runs
/// for them.
bool may_be_shared(const Function& function);
/// Says the latter of a function.
void set_shared(Function& function);
/// Whether the call stands behind `#pragma shmem strict`.
bool is_strict(const CallInst& call);
/// Says which of the two directives the call stands behind.
void set_promise(CallBase& call, bool relaxed);

/// Calls that the pass has made up its mind about. Clang may run it twice.
bool is_settled(const CallInst& call);
void settle(CallInst& call);

/// Calls in a nest as it was written, beside one that has been changed: of those something has been said.
bool is_copy(const CallInst& call);
void mark_copy(CallInst& call);

/// Gets that stand for whole loops: of those something has been said.
bool is_whole(const CallBase& call);
void mark_whole(CallInst& call);

} // namespace windrow::compiler::comm
