// SPDX-License-Identifier: BSD-3-Clause
// Blocking gets and puts of any number of elements, on the default context.
#pragma once

#include <llvm/Analysis/MemoryLocation.h>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::comm {

struct bulk_access {
  CallInst* call;
  bool reads;
  Value *remote, *pe, *local, *count;
  uint64_t element_bytes;
  Value *local_stride, *remote_stride; ///< elements from one to the next; null: they follow each other

  /// "read" or "write", for messages.
  const char* noun() const { return reads ? "read" : "write"; }
  /// Memory of this PE that it fills, or reads from.
  MemoryLocation here() const { return MemoryLocation(local, size()); }
  /// Memory of the other PE, by its symmetric address.
  MemoryLocation there() const { return MemoryLocation(remote, size()); }

 private:
  LocationSize size() const;
};

/// Empty if the instruction is something else.
std::optional<bulk_access> bulk_access_of(Instruction& instruction);

} // namespace windrow::compiler::comm
