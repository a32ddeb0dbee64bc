// SPDX-License-Identifier: BSD-3-Clause
// One function in work: the programmer's, or a callback that has been made of a part of it.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>

#include <llvm/IR/ValueHandle.h>

#include <memory>
#include <optional>
#include <vector>

#include "compiler/pass/effects.hpp"
#include "compiler/pass/rules.hpp"

namespace windrow::defer {

class footprints;
struct footprint;
class promise_checks;

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

/// A statement of the function that has been transformed: what is no longer to be seen there.
struct transformed {
  struct operation {
    std::shared_ptr<const footprint> print;
    std::string routine; ///< of a fetch
  };
  const BasicBlock* entry;
  std::vector<operation> fetches, deferred;
  bool nested = false; ///< there are fetches among what is deferred
};

struct code {
  Function* function;
  variables vars;
  const TargetLibraryInfo* library = nullptr;
  const rules* switches = nullptr;
  footprints* known = nullptr; ///< what is known of the program as it was written
  std::vector<WeakVH> writers; ///< of memory, in what is looked at
  bool vectorise = true;
  BasicBlock* handler = nullptr; ///< where exceptions of the statement go, if that is in the function
  uint64_t effort = 0;           ///< what the statements so far have cost, about

  promise_checks* checks = nullptr; ///< of the programmer's function

  std::vector<transformed> before; ///< in the order of the work

  // Of a callback:
  code* outer = nullptr;   ///< what opens its record, or sends what runs at the owner
  Value* record = nullptr; ///< its argument
  unsigned level = 0;      ///< how many fetches deep; 0 is the programmer's function
  uint64_t record_bytes = 0;
  Align record_alignment;
  CallInst* open = nullptr;      ///< where its record is made; null if it runs at the owner
  bool holds_parent = false;     ///< its record keeps that of the code that opens it
  bool in_place = false;         ///< without a call to the runtime, if possible
  bool in_batches = false;       ///< and several records together
  bool keeps_exceptions = false; ///< and does nothing if there is one
  unsigned routes = 0;           ///< then: how many it keeps from one payload to the next
  SmallVector<slot, 1> slots;    ///< if it is made in place: of its fetches
  std::optional<bulk_slot> bulk;
  Function *run = nullptr, *loading_run = nullptr; ///< then: what runs its records
  SmallVector<Function*, 4> helpers;               ///< functions that call it, these included
  GlobalVariable* site = nullptr;                  ///< what tells the runtime of it, if it runs at the owner
  CallInst* owner_item = nullptr;                  ///< then: what begins an item, if that is done in place
  Function* operands = nullptr;                    ///< then: what makes the operands there, or null

  // For the remark about it:
  DebugLoc fetched_at;
  unsigned statements = 0, fetches = 0;
  std::string captured, shared;

  /// Room for a `type` in the record; the offset.
  uint64_t add_field(Type& type, Align alignment = Align()) {
    const auto& layout = function->getParent()->getDataLayout();
    alignment = std::max(alignment, layout.getABITypeAlign(&type));
    record_alignment = std::max(record_alignment, alignment);
    const auto offset = alignTo(record_bytes, alignment);
    record_bytes = offset + layout.getTypeAllocSize(&type);
    return offset;
  }

  effects effects_of(Instruction& instruction) const {
    effects result;
    add_effects(instruction, vars, result);
    return result;
  }
};

} // namespace windrow::defer
