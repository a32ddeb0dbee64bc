// SPDX-License-Identifier: BSD-3-Clause
// What is to become of one scope: which of its units are deferred, behind which fetches, and where their
// variables live.
#pragma once

#include <llvm/IR/ValueHandle.h>

#include <string>

#include "compiler/defer/code.hpp"
#include "compiler/defer/plan/scope.hpp"

namespace windrow::compiler::defer {

struct plan {
  BasicBlock* start = nullptr;
  chain scope;

  SmallPtrSet<const Instruction*, 32> deferred; ///< what goes to the callback
  SmallVector<CallInst*, 4> fetches;            ///< what is issued, and completes before the callback
  SmallSetVector<variable*, 2> seeds; ///< of a plan without fetches: variables whose uses keep their order
  SmallSetVector<variable*, 8> reads, writes; ///< of what is deferred

  // How the callback gets at the variables:
  SmallSetVector<variable*, 8> by_value;   ///< a copy, made where the deferred code stood
  SmallSetVector<variable*, 8> in_private; ///< nobody else uses them
  SmallSetVector<variable*, 8> by_reference;

  SmallSetVector<const Loop*, 2> complete_behind; ///< it is to be complete where they are left
  SmallSetVector<BasicBlock*, 2> complete_in;     ///< and where these begin, which do not come back

  std::string refusal; ///< why nothing is deferred; empty as long as something is
  const Instruction* refused_at = nullptr;
  variable* conflict = nullptr; ///< refused because code that stays uses it too

  bool active() const { return refusal.empty(); }
  void refuse(const Instruction* where, const Twine& why) {
    if (!refusal.empty()) return;
    refusal = why.str();
    refused_at = where;
  }
  /// The condition or loop that the block is part of, or null.
  const unit* unit_of(const BasicBlock* block) const {
    const auto found = find_if(
        scope.units, [&](const unit& part) { return part.blocks.contains(const_cast<BasicBlock*>(block)); });
    return found == scope.units.end() ? nullptr : &*found;
  }
  /// Whether the block is in a condition or loop between the first fetch and the end of the deferred code.
  bool is_open_in(const BasicBlock* block) const {
    const auto* const part = unit_of(block);
    const auto is_of_record = [](const unit& other) { return other.fetch || other.deferred; };
    const auto* const first = scope.units.data();
    return part != nullptr && std::any_of(first, part, is_of_record) &&
           std::any_of(part, first + scope.units.size(), is_of_record);
  }
  bool contains(const BasicBlock* block) const { return unit_of(block) != nullptr; }
  /// Whether the block is part of one that is deferred as a whole.
  bool defers(const BasicBlock* block) const {
    const auto* const part = unit_of(block);
    return part != nullptr && part->deferred;
  }
  /// Whether it is part of one that stays, between units that are deferred.
  bool surrounds(const BasicBlock* block) const {
    const auto* const part = unit_of(block);
    const auto is_deferred = [](const unit& other) { return other.deferred; };
    const auto* const first = scope.units.data();
    return part != nullptr && !part->deferred && std::any_of(first, part, is_deferred) &&
           std::any_of(part, first + scope.units.size(), is_deferred);
  }
};

/// Whether what only deferred code reads is read by it, or captured.
enum class reading { late, early };

/// Decides which units depend on the scope's fetches and have to be deferred with them.
void find_deferred(plan& scope, const code& body, const memory_oracle& memory, reading reads = reading::late);

/// Refuses the plan where deferring would change what the program means, as far as the scope alone shows.
void check_scope(plan& scope, const code& body, const shape& structure);

/// Both for the plan of a scope with fetches; or refuses it where its units are too many to be compared with
/// each other. That counts towards the effort that the function is worth.
void decide_scope(plan& scope, code& body, const shape& structure, const memory_oracle& memory);

/// The variables that deferred code reads before it has surely written them.
SmallPtrSet<variable*, 8> upward_exposed(const plan& scope, const variables& vars);

/// Decides where the variables of all active plans live, and refuses plans whose variables or memory code
/// that is not deferred uses too.
/// `others`: what is deferred elsewhere, at other levels.
void place_variables(MutableArrayRef<plan*> plans, code& body, const SetVector<BasicBlock*>& region,
                     const shape& structure, ArrayRef<WeakVH> others);

} // namespace windrow::compiler::defer
