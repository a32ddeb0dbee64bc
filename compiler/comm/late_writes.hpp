// SPDX-License-Identifier: BSD-3-Clause
// Writes and updates of one value on the default context, which may be made later, and the calls of the
// runtime that stand for them then (windrow/detail/comm_calls.h).
#pragma once

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::comm {

/// As enum windrow_comm_change has them.
enum class change : uint32_t { put, add, increment, bit_and, bit_or, bit_xor, set };

/// p, put of 1, 2, 4 or 8 bytes, and atomic operations that return nothing, or what nobody uses.
struct late_write {
  CallInst* call;
  Value *remote, *pe;
  Value* value; ///< null: it has none, or it is at `local`
  Value* local; ///< memory of this PE
  uint64_t bytes;
  change does;
  bool completes; ///< has happened when the call returns

  /// "write" or "update", for messages.
  const char* noun() const { return does == change::put ? "write" : "update"; }
};

/// Whether the routine may have such calls, also if this is none of them. It returns, and throws nothing.
bool is_update(const Instruction& instruction);

/// What such a call does, of whatever value; empty for other calls.
std::optional<change> late_verb_of(const Instruction& instruction);

/// Empty for other calls, and for values of other sizes.
std::optional<late_write> late_write_of(Instruction& instruction);

/// Puts a call of the runtime in the place of the write: to `collector`.
void collect(const late_write& write, Value& collector);

/// Where a call of the runtime, which stands for a write, writes; null for other instructions.
Value* place_of_collected(const Instruction& instruction);

/// The name of the routine that such a call stands for; empty for other instructions.
StringRef name_of_collected(const Instruction& instruction);

} // namespace windrow::compiler::comm
