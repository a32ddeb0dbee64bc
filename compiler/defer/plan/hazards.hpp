// SPDX-License-Identifier: BSD-3-Clause
// What must not run while deferred code waits: code that would see that it has not run yet. It is refused, or
// deferred code is completed in front of it.
#pragma once

#include "compiler/common/analysis/origins.hpp"
#include "compiler/common/analysis/reach.hpp"
#include "compiler/defer/plan/moved.hpp"
#include "compiler/defer/plan/plan.hpp"

namespace windrow::compiler::defer {

/// Whether what the block does is only to end the program at once, as a failed assertion does.
bool only_aborts(const BasicBlock& block);

/// Whether both update memory, perhaps the same place, and it matters which does so first.
bool keep_order(const Instruction& one, const Instruction& other, footprints& known);

/// What of the region provably meets a fetch there, before anything is moved.
std::shared_ptr<const meetings> find_meetings(const SetVector<BasicBlock*>& region, const code& body);

/// A fetch, put or atomic operation on any context.
bool is_operation(const Instruction& instruction);

/// Whether it is one and the same object each time.
bool is_exact(const origin* object);

/// Whether operations are surely on one context, if that is not changed in between.
bool same_context(const footprint& one, const footprint& other);

class hazards {
 public:
  /// `others`: what is deferred elsewhere in the function, and runs at other levels.
  hazards(ArrayRef<plan*> plans, code& body, const SetVector<BasicBlock*>& region, const shape& structure,
          ArrayRef<WeakVH> others)
      : plans_(plans),
        body_(body),
        region_(region),
        structure_(structure),
        others_(others),
        moved_(body.known->pointers()),
        moved_anywhere_(body.known->pointers()) {
    for (auto* one : plans) {
      for (const auto* instruction : one->deferred) deferring_[instruction].push_back(one);
      for (const auto* fetch : one->fetches) issuing_[fetch].push_back(one);
    }
    find_moved();
  }

  /// Refuses the plan, or says where it is to be complete.
  void check(plan& one);

  /// Whether no active plan defers the instruction.
  bool stays(const Instruction& instruction) const;

  /// Whether `to` can run behind `from` before all deferred code has run, without entering `border`.
  bool reaches(const Instruction& from, const Instruction& to, const BasicBlock* border = nullptr) const {
    return reach_.reaches(from, to, border);
  }

  /// Why the instruction, which stands behind the region, must not run before what the active plans defer;
  /// empty if it may.
  std::string behind(const Instruction& instruction) const;

  /// What is to be kept of the region when it is transformed.
  transformed kept(const BasicBlock* entry) const;

 private:
  using plans_of = DenseMap<const Instruction*, SmallVector<const plan*, 1>>;
  enum class position { around_loop, ahead, behind_region, come_to_again, other_level };
  std::string seen_by_earlier(const transformed& region) const;
  bool meets_earlier(const plan& one, const transformed& region) const;
  bool reads_what_is_written(const plan& one, BasicBlock& block) const;
  void check_dead_ends(plan& one) const;
  void check_at_other_levels(plan& one);
  bool is_issued(const Instruction& instruction) const;
  static bool is_in_active(const plans_of& plans, const Instruction& instruction);
  std::string seen_by(const plan& one, const Instruction& instruction) const;
  bool is_seen_behind(const plan& one, const footprint& print) const;
  bool meets(const plan& one, const Instruction& pending, const Instruction& other, position where) const;
  void find_moved();
  bool may_have_met(const Instruction& pending, const Instruction& other) const;
  bool is_address_kept(const Value& root) const;
  bool must_have_met(const Instruction& one, const Instruction& other) const;
  SmallVector<const meeting*, 2> meetings_of(const Instruction& one, const Instruction& other) const;
  const Loop* loop_between_meetings(const Instruction& pending, const Instruction& fetch) const;
  bool touches_shared(const Instruction& pending) const;
  bool tells_others(const plan& one, const Instruction& instruction) const;
  bool is_on_other_context(const plan& one, const footprint& print) const;
  bool may_change(const origin& context, const Instruction& fetch) const;
  const Loop* loop_of_same_rounds(const Instruction& pending, const Instruction& other) const;
  const Loop* innermost_common_loop(const Instruction& one, const Instruction& other) const;
  const Loop* loop_to_complete(const plan& one, const Instruction& other) const;
  bool complete_behind(plan& one, const Loop& loop) const;
  void complete_or_refuse(plan& one, const Instruction& other, const std::string& why) const;

  ArrayRef<plan*> plans_;
  code& body_;
  const SetVector<BasicBlock*>& region_;
  const shape& structure_;
  ArrayRef<WeakVH> others_;
  moved_pointers moved_, moved_anywhere_; // by the statement, and by the function
  plans_of deferring_, issuing_;
  mutable reachability reach_;
  mutable DenseMap<const Value*, bool> kept_; // whose addresses are
  mutable DenseMap<const origin*, SmallVector<const Instruction*, 2>> context_stores_;
};

} // namespace windrow::compiler::defer
