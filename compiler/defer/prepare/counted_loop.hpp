// SPDX-License-Identifier: BSD-3-Clause
// Loops that count a variable up by one and fetch an element in each round.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/defer/plan/plan.hpp"

namespace windrow::compiler::defer {

/// A loop with a test at its head and no other way out, that counts a variable up by one; and its body as a
/// scope whose only fetch is `fetch`.
class counted_loop {
 public:
  /// `scope`: that of the fetch, as it would be deferred alone.
  counted_loop(CallInst& fetch, const code& body, const plan& scope, const SetVector<BasicBlock*>& region,
               const shape& structure);

  /// Why it cannot be vectorised; empty if it can.
  std::string obstacle();
  /// Whether it is such a loop, and the fetch reads its elements one after the other.
  bool is_one() const { return has_shape_ && reads_consecutive(*fetch_.getArgOperand(1)); }
  const plan& scope() const { return scope_; }

  // For the change:
  CallInst& fetch() const { return fetch_; }
  const Loop& loop() const { return *loop_; }
  variable& counter() const { return *counter_; }
  Value& bound() const { return *bound_; }
  CmpInst::Predicate predicate() const { return predicate_; }
  ArrayRef<LoadInst*> hoisted() const { return hoisted_; }

  /// The value in front of the loop's body, where the counter is `count`.
  Value* compute_before(IRBuilder<>& builder, const Value& value, Value* count) const;

 private:
  bool has_shape(const SetVector<BasicBlock*>& region) const;
  bool leaves_at_head() const;
  static bool ends_program(const BasicBlock& block);
  bool belongs_to_test(const Instruction& instruction) const;
  bool find_counter();
  bool is_load_of_counter(const Value& value) const;
  bool is_counted_once() const;
  bool writes_what_it_fetches() const;
  bool reads_consecutive(const Value& address) const;
  bool follows_counter(const Value& index) const;
  template <class Fits>
  bool is_narrow_counter(const Value& value, CmpInst::Predicate test, Fits fits) const;
  template <class Fits>
  bool is_shifted_counter(const BinaryOperator& sum, Fits fits) const;
  static bool is_pure(const Instruction& instruction);
  bool is_invariant(const Value& value) const;
  bool is_written(const variable& var) const;
  template <class Blocks, class Test>
  bool var_touched(Blocks blocks, Test test) const;
  const StoreInst* only_store(const LoadInst& load, const variable* var) const;
  bool belongs_to_body(const variable& var) const;
  bool uses_are_inside(const Value& base) const;
  bool may_run_later(const unit& part);
  bool may_run_later(Instruction& instruction);

  CallInst& fetch_;
  const code& body_;
  const Loop* loop_;
  const plan& scope_;
  bool has_shape_ = false;
  variable* counter_ = nullptr;
  Value* bound_ = nullptr;
  CmpInst::Predicate predicate_ = CmpInst::BAD_ICMP_PREDICATE;
  SmallVector<LoadInst*, 4> hoisted_; // reads of memory that are made in front of the loop's body
  mutable DenseMap<const variable*, bool> var_belongs_;
};

} // namespace windrow::compiler::defer
