// SPDX-License-Identifier: BSD-3-Clause
// A scope is the body of a loop, the arm of a condition, or the directive's statement, in which fetches are.
// It is cut into units that follow one another: single instructions, and whole conditions and loops with one
// way in and one way out.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include <vector>

#include "compiler/common/analysis/post_dominators.hpp"
#include "compiler/defer/plan/effects.hpp"

namespace windrow::compiler::defer {

struct unit {
  Instruction* instruction = nullptr; ///< null for a condition or loop

  // Of a condition or loop:
  BasicBlock* at = nullptr;      ///< the block whose end enters it
  BasicBlock* header = nullptr;  ///< of a loop; null for a condition
  BasicBlock* join = nullptr;    ///< where it is left to
  SetVector<BasicBlock*> blocks; ///< what is inside

  bool fetch = false;    ///< is a fetch that can be issued and waited for later
  bool fetches = false;  ///< there are fetches inside
  bool deferred = false; ///< goes to the callback
  effects touched;

  bool compound() const { return !instruction; }

  /// In front of which instruction of the scope the unit is.
  Instruction* place() const { return compound() ? at->getTerminator() : instruction; }

  /// Calls f(Instruction&) for everything that belongs to the unit: its own branch and the joining phis too.
  template <class Function>
  void for_each(Function f) const {
    if (!compound()) return f(*instruction);
    for (auto* block : blocks)
      for (auto& inside : *block) f(inside);
    for (auto& phi : join->phis()) f(phi);
    if (!header) f(*at->getTerminator());
  }
};

/// The structure of a function, and how its scopes are found.
struct shape {
  explicit shape(Function& function) : dominators(function), loops(dominators), joins(function) {}

  DominatorTree dominators;
  LoopInfo loops;
  post_dominators joins;
};

/// The first block of the innermost scope that `block` is in.
BasicBlock* start_of_scope(BasicBlock* block, BasicBlock* region_entry, const shape& structure);

struct chain {
  std::vector<unit> units;
  Instruction* end = nullptr; ///< the branch by which the scope is left
};

/// The units of the scope that begins with `start`, as far as control flow allows.
chain units_of_scope(BasicBlock* start, const SetVector<BasicBlock*>& region, const shape& structure,
                     const variables& vars);

/// Gives every scope with fetches a join block of its own: `continue` ends several of them at once. New
/// blocks are added to the region.
void separate_joins(Function& function, BasicBlock* region_entry, SetVector<BasicBlock*>& region);

} // namespace windrow::compiler::defer
