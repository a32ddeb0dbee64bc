// SPDX-License-Identifier: BSD-3-Clause
// What may change a local variable: what is stored in it, and who is given its address.
#pragma once

#include <llvm/IR/Operator.h>
#include <optional>

#include "compiler/common/analysis/captures.hpp"

namespace windrow::compiler {

using place = std::optional<int64_t>; ///< an offset in bytes; none: any

struct local_changes {
  /// By a store or an atomic operation.
  struct change {
    const Value* value;
    place offset;
  };
  struct passing {
    const CallBase* call;
    unsigned argument;
    place offset; ///< of what the call is given, in the variable
  };
  SmallVector<change, 4> changes;
  SmallVector<passing, 2> calls;
  bool others = false; ///< the address is kept somewhere or becomes a number
};

/// Whether a value of the type has no more bytes than an address: else it may have one in it anywhere.
bool is_narrow(const Type& type, const DataLayout& layout);

/// What a store or an atomic operation writes, and where.
struct written {
  const Value *value, *address;
  bool narrow; ///< the value
};
std::optional<written> written_by(const User& user, const DataLayout& layout);

local_changes changes_of(const AllocaInst& local, captures& addresses);

place moved_by(const place& from, const GEPOperator& element, const DataLayout& layout);

/// Whether parts of an address that are at these two places of an object may be parts of one address.
bool may_overlap(const place& one, const place& other);

} // namespace windrow::compiler
