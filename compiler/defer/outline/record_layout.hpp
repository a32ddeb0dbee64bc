// SPDX-License-Identifier: BSD-3-Clause
// What a record brings to its callback, or an item to its owner, and where in it that is.
#pragma once

#include <algorithm>
#include <optional>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::defer {

/// What the runtime gives to a record.
inline const Align payload_alignment(16);

/// Where the value of a fetch belongs.
struct slot {
  Type* type;
  bool may_load_later; ///< and until then the address is there
  unsigned argument;   ///< of the call that opens the record: the offset
};

/// The place of many values at the end of the record, which has as much room as there are.
struct bulk_slot {
  GetElementPtrInst *outside, *inside; ///< its address where it is fetched, if known there; in the callback
  Value* count;
  uint64_t element_bytes;
  uint64_t address_at = 0; ///< if the record is made in place: where it has the address of the values
};

struct record_layout {
  struct field {
    uint64_t offset, bytes;
  };
  SmallVector<field, 8> fields; ///< one behind the other
  uint64_t bytes = 0;
  Align alignment;
  SmallVector<slot, 1> slots; ///< if it is made in place: of its fetches
  std::optional<bulk_slot> bulk;

  /// Room for a `type`; the offset.
  uint64_t add(Type& type, const DataLayout& layout, Align at_least = Align()) {
    at_least = std::max(at_least, layout.getABITypeAlign(&type));
    alignment = std::max(alignment, at_least);
    fields.push_back({alignTo(bytes, at_least), layout.getTypeAllocSize(&type)});
    bytes = fields.back().offset + fields.back().bytes;
    return fields.back().offset;
  }
};

} // namespace windrow::compiler::defer
