// SPDX-License-Identifier: BSD-3-Clause
// Code around a deferred block that uses the variables which the block changes can be deferred too, without a
// fetch: as a record that waits for its turn only, between those of the fetches. So a sum of fetched values
// is there for the statement behind its loop:
//
//   sum = 0; for (…) sum += fetch; out[i] = sum;
#pragma once

#include "compiler/defer/plan/plan.hpp"

namespace windrow::compiler::defer {

class order_keeper {
 public:
  order_keeper(code& body, BasicBlock* entry, const SetVector<BasicBlock*>& region, const shape& structure,
               const memory_oracle& memory)
      : body_(body), entry_(entry), region_(region), structure_(structure), memory_(memory) {}

  /// Where plans were refused because code that stays uses their variables: adds plans for that code. If
  /// there are some, it is to be decided again where variables live.
  bool extend(SmallVectorImpl<plan*>& plans);

 private:
  /// A part of a scope between its fetches, and conditions and loops with fetches.
  struct stretch {
    BasicBlock* start;
    size_t first, end; ///< units of the scope's chain
    bool operator==(const stretch&) const = default;
  };
  struct ordered_plan {
    stretch where;
    std::unique_ptr<plan> made;
  };

  bool defer_uses(variable& var, SmallVectorImpl<plan*>& plans);
  SmallVector<Instruction*, 8> staying_uses(variable& var, ArrayRef<plan*> plans) const;
  std::optional<stretch> stretch_of(Instruction& use, ArrayRef<plan*> plans) const;
  std::unique_ptr<plan> plan_for(const stretch& where, const SmallSetVector<variable*, 2>& seeds) const;
  unsigned depth_of(const stretch& place) const;
  bool would_tear(const std::vector<ordered_plan>& fresh) const;
  void drop_enclosed(const std::vector<ordered_plan>& fresh, SmallVectorImpl<plan*>& plans);
  plan* planned(const stretch& where) const;

  code& body_;
  BasicBlock* entry_;
  const SetVector<BasicBlock*>& region_;
  const shape& structure_;
  const memory_oracle& memory_;
  std::vector<ordered_plan> made_;
  std::vector<std::unique_ptr<plan>> replaced_;
  SmallPtrSet<variable*, 8> tried_;
};

} // namespace windrow::compiler::defer
