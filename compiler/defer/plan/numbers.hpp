// SPDX-License-Identifier: BSD-3-Clause
// Numbers and addresses of the program in given rounds of its loops, as far as they can be computed.
#pragma once

#include <llvm/IR/Operator.h>

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "compiler/defer/code.hpp"
#include "compiler/defer/plan/arithmetic.hpp"
#include "compiler/defer/plan/scope.hpp"
#include "compiler/defer/plan/writers.hpp"

namespace windrow::compiler::defer {

using loop_nest = SmallVector<const Loop*, 4>; ///< the outermost first

/// What is computed alike of equal numbers is equal. There are two kinds of those that are not known:
/// - Data, which the loops do not change: what they read of memory, what they fetch, and what is computed of
///   that. Where it is not computed alike, it is another number, as the programmer says.
/// - What is computed of numbers that the loops change, or comes from where nobody can follow it, which may
/// be
///   any number, and so the same again in another round.
class unknown_numbers {
 public:
  number computed(unsigned how, const void* by, const number& left, const number& right);
  /// Memory that the loops do not change.
  number loaded(const Type& type, const number& address);
  /// A number that is no address.
  number scalar(unsigned how, const void* by, const number& left);
  number without_scalars(number value) const;
  /// Data that is equal to nothing else: what is fetched, or read from where nobody knows. Never what is just
  /// not looked into, which may be `any()`.
  number another(const Type& type);
  number any();
  /// Without what may be any number, which is a range then.
  number settled(number value) const;
  bool may_be_any(const number& value) const;

 private:
  number known(unsigned how, const void* by, const number& left, const number& right);

  std::map<std::tuple<unsigned, const void*, number, number>, unsigned> known_;
  std::set<unsigned> any_, scalars_;
  unsigned next_ = 0;
};

/// What code inside of the loops computes.
class numbers {
 public:
  numbers(loop_nest loops, const shape& structure, const code& body, const writers& written,
          unknown_numbers& unknowns, uint64_t& steps_left)
      : loops_(std::move(loops)),
        structure_(structure),
        body_(body),
        written_(written),
        unknowns_(unknowns),
        steps_left_(&steps_left),
        rounds_(loops_.size(), 0) {}

  const loop_nest& loops() const { return loops_; }
  /// Rounds of inner loops begin anew.
  void set_round(unsigned level, unsigned round);
  /// Whether the loop is left at its head in this round, for sure.
  bool is_over(unsigned level);
  /// From now on, conditions on counters may hold or not, as in rounds that nobody has looked at.
  void forget_conditions() {
    forgets_conditions_ = true;
    begun_with_.clear();
  }
  /// Whether what has been compared for that does not go on evenly: it may be over for one round in between.
  bool test_bends() const { return test_bends_; }
  number of(const Value& value) {
    steps_ = 0;
    return of(value, 0);
  }

 private:
  using rounds = SmallVector<unsigned, 4>;

  number of(const Value& value, unsigned depth);
  number of_load(const LoadInst& load, unsigned depth);
  number of_operation(const Operator& operation, unsigned depth);
  number of_arithmetic(unsigned how, const Type& type, const number& left, const number& right);
  std::optional<number> of_remainder(unsigned how, const Type& type, const number& left, const number& right);
  number product(const Type& type, const number& left, const number& right);
  std::optional<bool> compares(const ICmpInst& test, const number& left, const number& right) const;
  number of_comparison(const ICmpInst& test, unsigned depth);
  number of_choice(const number& condition, const number& then, const number& otherwise);
  std::optional<number> of_join(const PHINode& phi, unsigned depth);
  number of_any(const PHINode& phi, unsigned depth);
  std::optional<number> of_call(const CallBase& call, unsigned depth);
  number of_operands(const Operator& operation, unsigned depth);
  number of_cast(const Operator& operation, unsigned depth);
  number of_element(const GEPOperator& address, unsigned depth);
  number unknown_of(const Value& value);
  bool is_inside(const Value& value) const;
  bool depends_on_operands(const Operator& operation) const;

  bool gives_up(unsigned depth);
  unsigned levels_around(const Instruction& instruction) const;
  number before(const part& what, const Instruction& point, unsigned depth);
  number at_end(const part& what, const BasicBlock& block, unsigned depth);
  number at_entry(const part& what) const;
  number lost(const Instruction& at, const part& what) const;
  number written_by(const Instruction& writer, const part& what, unsigned depth);
  number joined(const part& what, const BasicBlock& block, unsigned depth);
  number at_start_of_round(const part& what, unsigned level, unsigned depth);
  number behind_loop(const part& what, const Loop& loop, unsigned levels, unsigned depth);
  std::optional<unsigned> rounds_of_inner(const Loop& loop, unsigned levels);
  const BasicBlock* arm_of(const BranchInst& branch, const BasicBlock& join, unsigned arm) const;

  loop_nest loops_;
  const shape& structure_;
  const code& body_;
  const writers& written_;
  unknown_numbers& unknowns_;
  uint64_t* steps_left_; ///< of all numbers together; without any, nothing is known
  rounds rounds_;
  unsigned steps_ = 0;
  bool gave_up_ = false, inside_ = false, test_bends_ = false, forgets_conditions_ = false;
  std::map<std::tuple<part, const Loop*, std::vector<unsigned>>, number> begun_with_; // rounds
};

} // namespace windrow::compiler::defer
