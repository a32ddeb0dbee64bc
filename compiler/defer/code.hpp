// SPDX-License-Identifier: BSD-3-Clause
// One function in work: the programmer's, or a callback that has been made of a part of it.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>

#include <llvm/IR/ValueHandle.h>

#include <memory>
#include <vector>

#include "compiler/common/analysis/footprints.hpp"
#include "compiler/defer/outline/record_layout.hpp"
#include "compiler/defer/plan/effects.hpp"
#include "compiler/defer/rules.hpp"

namespace windrow::compiler::defer {

class promise_checks;

/// Each scope's fetches are compared with all code of the statement, each two units of a scope with each
/// other, and each statement with the function: what a function may take in all; some 10 s.
constexpr uint64_t most_effort = 6'000'000;

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

/// An access and a fetch of a statement that provably meet, as it was written: in deferred code, the
/// expressions that show it are captured values.
struct meeting {
  WeakVH access, fetch;
  WeakVH around; ///< the head of the loop in a later round of which they do; null: in any case
};
using meetings = std::vector<meeting>;

/// How records of a callback are opened and run without calls to the runtime.
struct lowering {
  bool in_place = false;   ///< if possible
  bool in_batches = false; ///< and several records together
  unsigned routes = 0;     ///< then: how many the callback keeps from one payload to the next
  Function *run = nullptr, *loading_run = nullptr; ///< what runs its records
};

/// Of a callback that runs at the owner.
struct owner_side {
  GlobalVariable* site = nullptr; ///< what tells the runtime of it
  CallInst* item = nullptr;       ///< what begins an item, if that is done in place
  Function* operands = nullptr;   ///< then: what makes the operands there, or null
};

/// For the remark about a callback.
struct account {
  DebugLoc fetched_at;
  unsigned statements = 0, fetches = 0;
  std::string captured, shared;
};

struct code {
  Function* function;
  variables vars;
  const TargetLibraryInfo* library = nullptr;
  const rules* switches = nullptr;
  footprints* known = nullptr;              ///< what is known of the program as it was written
  std::vector<WeakVH> writers;              ///< of memory, in what is looked at
  std::shared_ptr<const meetings> provable; ///< of the statement that is looked at
  bool vectorise = true;
  BasicBlock* handler = nullptr; ///< where exceptions of the statement go, if that is in the function
  uint64_t effort = 0; ///< what the statements so far have cost, about; of the programmer's function
  promise_checks* checks = nullptr; ///< of the programmer's function

  std::vector<transformed> before; ///< in the order of the work

  // Of a callback:
  code* outer = nullptr;   ///< what opens its record, or sends what runs at the owner
  Value* record = nullptr; ///< its argument
  unsigned level = 0;      ///< how many fetches deep; 0 is the programmer's function
  record_layout layout;
  CallInst* open = nullptr;      ///< where its record is made; null if it runs at the owner
  bool holds_parent = false;     ///< its record keeps that of the code that opens it
  bool keeps_exceptions = false; ///< and does nothing if there is one
  lowering lowered;
  owner_side at_owner;               ///< if it runs there
  SmallVector<Function*, 4> helpers; ///< functions that call it, or are made for it
  account told;

  /// Room for a `type` in the record; the offset.
  uint64_t add_field(Type& type, Align alignment = Align()) {
    return layout.add(type, function->getParent()->getDataLayout(), alignment);
  }

  /// Whether each two of so many units can still be compared; counts that as done.
  bool affords_comparing(size_t units) {
    if (outer) return outer->affords_comparing(units);
    effort += uint64_t{units} * units / 12;
    return effort <= most_effort;
  }

  effects effects_of(Instruction& instruction) const {
    effects result;
    add_effects(instruction, vars, result);
    return result;
  }
};

} // namespace windrow::compiler::defer
