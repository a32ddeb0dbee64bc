// SPDX-License-Identifier: BSD-3-Clause
// Numbers and addresses of the program in given rounds of its loops, as far as they can be computed.
#pragma once

#include <llvm/IR/Operator.h>

#include <map>
#include <tuple>
#include <vector>

#include "compiler/defer/code.hpp"
#include "compiler/defer/plan/arithmetic.hpp"
#include "compiler/defer/plan/scope.hpp"

namespace windrow::compiler::defer {

using loop_nest = SmallVector<const Loop*, 4>; ///< the outermost first

/// What is computed alike of equal numbers is equal.
class unknown_numbers {
 public:
  number computed(unsigned how, const void* by, const number& left, const number& right) {
    const auto [known, fresh] = known_.try_emplace({how, by, left, right}, next_);
    if (fresh) ++next_;
    return {{{known->second, 1}}, 0};
  }
  number another() { return {{{next_++, 1}}, 0}; }

 private:
  std::map<std::tuple<unsigned, const void*, number, number>, unsigned> known_;
  unsigned next_ = 0;
};

/// What writes each variable of a function.
using written_variables = DenseMap<const variable*, SmallVector<const Instruction*, 4>>;
written_variables find_written_variables(const code& body);

/// What code inside of the loops computes.
class numbers {
 public:
  numbers(loop_nest loops, const shape& structure, const code& body, const written_variables& written,
          unknown_numbers& unknowns)
      : loops_(std::move(loops)),
        structure_(structure),
        body_(body),
        written_(written),
        unknowns_(unknowns),
        rounds_(loops_.size(), 0) {}

  const loop_nest& loops() const { return loops_; }
  /// Rounds of inner loops begin anew.
  void set_round(unsigned level, unsigned round);
  /// Whether the loop is left at its head in this round, for sure.
  bool is_over(unsigned level);
  number of(const Value& value) {
    steps_ = 0;
    return of(value, 0);
  }

 private:
  /// A variable that is only ever changed by adding constants, in that loop.
  struct counter {
    unsigned level;
    SmallVector<std::pair<const StoreInst*, int64_t>, 2> steps;
  };

  number of(const Value& value, unsigned depth);
  number of_operation(const Operator& operation, unsigned depth);
  number of_arithmetic(unsigned how, const Type& type, const number& left, const number& right);
  std::optional<bool> compares(const ICmpInst& test, const number& left, const number& right) const;
  number of_comparison(const ICmpInst& test, unsigned depth);
  number of_choice(const Value& condition, const Value& then, const Value& otherwise, unsigned depth);
  std::optional<number> of_join(const PHINode& phi, unsigned depth);
  std::optional<number> of_call(const CallInst& call, unsigned depth);
  number of_cast(const Operator& operation, unsigned depth);
  number of_element(const GEPOperator& address, unsigned depth);
  number of_variable(const LoadInst& load, const variable& var, unsigned depth);
  number of_counter(const LoadInst& load, const variable& var, const counter& count, unsigned depth);
  const Instruction* last_before(const LoadInst& load, ArrayRef<const Instruction*> writers,
                                 const Loop& loop) const;
  bool is_once_in_round(const StoreInst& store, unsigned level) const;
  number of_last_round(const StoreInst& store, const variable& var, unsigned level, unsigned depth);
  number before_loop(const variable& var, unsigned level, unsigned depth);
  number same_in_round(const void* what, unsigned levels);
  std::optional<counter> find_counter(const variable& var) const;
  SmallVector<const Instruction*, 4> writers_in(const variable& var, const Loop& loop) const;

  loop_nest loops_;
  const shape& structure_;
  const code& body_;
  const written_variables& written_;
  unknown_numbers& unknowns_;
  SmallVector<unsigned, 4> rounds_;
  unsigned steps_ = 0;
  std::map<const variable*, std::optional<counter>> counters_;
};

} // namespace windrow::compiler::defer
