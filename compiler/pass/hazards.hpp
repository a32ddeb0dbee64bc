// SPDX-License-Identifier: BSD-3-Clause
// What must not run while deferred code waits: code that would see that it has not run yet. It is refused, or
// deferred code is completed in front of it.
#pragma once

#include "compiler/pass/plan.hpp"

namespace windrow::defer {

class hazards {
 public:
  /// `others`: what is deferred elsewhere in the function, and runs at other levels.
  hazards(ArrayRef<plan*> plans, code& body, const SetVector<BasicBlock*>& region, const shape& structure,
          ArrayRef<WeakVH> others)
      : plans_(plans), body_(body), region_(region), structure_(structure), others_(others) {}

  /// Refuses the plan, or says where it is to be complete.
  void check(plan& one);

  /// Why the instruction, which stands behind the region, must not run before what the active plans defer;
  /// empty if it may.
  std::string behind(const Instruction& instruction) const;

  /// What is to be kept of the region when it is transformed.
  transformed kept(const BasicBlock* entry) const;

 private:
  enum class position { around_loop, ahead, behind_region, other_level };
  bool meets_earlier(const plan& one, const transformed& region) const;
  void check_dead_ends(plan& one) const;
  void check_at_other_levels(plan& one);
  bool stays(const Instruction& instruction) const;
  bool is_issued(const Instruction& instruction) const;
  std::string seen_by(const plan& one, const Instruction& instruction) const;
  bool meets(const plan& one, const Instruction& pending, const Instruction& other, position where) const;
  bool same_rounds_only(const Instruction& pending, const Instruction& other) const;
  bool reaches(const Instruction& from, const Instruction& to, const BasicBlock* border) const;
  const Loop* innermost_common_loop(const Instruction& one, const Instruction& other) const;
  const Loop* loop_to_complete(const plan& one, const Instruction& other) const;
  void complete_or_refuse(plan& one, const Instruction& other, const std::string& why) const;

  ArrayRef<plan*> plans_;
  code& body_;
  const SetVector<BasicBlock*>& region_;
  const shape& structure_;
  ArrayRef<WeakVH> others_;
};

/// Whether the call ends the program at once: nobody sees what was to come.
bool aborts(const CallBase& call);

} // namespace windrow::defer
