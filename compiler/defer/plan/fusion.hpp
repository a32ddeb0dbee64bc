// SPDX-License-Identifier: BSD-3-Clause
// Fusion at the owner: where deferred code does nothing but update objects on the PE that is fetched from,
// and fetch more from there, it travels with the first fetch and runs there. No answer comes back.
#pragma once

#include <compare>
#include <optional>

#include "compiler/defer/plan/plan.hpp"

namespace windrow::compiler::defer {

/// A scope whose deferred units are computations on fetched and captured values, scalar updates and fetches,
/// and conditions with such in them.
struct owner_part {
  plan scope;

  /// What a load reads of a variable. Equal ones have equal values.
  struct part_of_variable {
    variable* var;
    int64_t offset;
    unsigned version; ///< how often code that stays has written the variable before
    auto operator<=>(const part_of_variable&) const = default;
  };
  /// Loads in conditions that are made in front of these.
  DenseMap<const Instruction*, part_of_variable> read_before;
  /// Loads in straight code whose values travel.
  DenseMap<const Instruction*, part_of_variable> read_straight;
};

/// The owner's part of an active plan, whose variables have their places, if all of its deferred code can be
/// that.
std::optional<owner_part> find_owner_part(const plan& deferred, const code& body,
                                          const SetVector<BasicBlock*>& region, const shape& structure,
                                          const memory_oracle& memory);

/// Moves the part to a function for the owner and makes the scope send it. `number` makes the function's name
/// unique.
std::unique_ptr<code> fuse(owner_part& part, code& outer, unsigned number);

} // namespace windrow::compiler::defer
