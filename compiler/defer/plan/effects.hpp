// SPDX-License-Identifier: BSD-3-Clause
// What an instruction, or a group of them, reads and writes: variables by name, other memory as a whole.
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>

#include "compiler/defer/plan/variables.hpp"

namespace windrow::compiler::defer {

struct effects {
  SmallSetVector<variable*, 4> reads, writes;
  bool reads_memory = false, writes_memory = false;
  SmallVector<Instruction*, 4> memory; ///< those that touch other memory, or variables that escape

  bool touch(variable* var) const { return reads.contains(var) || writes.contains(var); }
};

/// Adds the effects of `instruction`.
void add_effects(Instruction& instruction, const variables& vars, effects& to);

/// Alias analysis that answers the same at every optimisation level: clang gives type-based facts at some
/// only.
class memory_oracle {
 public:
  memory_oracle(Function& function, FunctionAnalysisManager& analyses);
  ~memory_oracle();

  /// The two cannot be exchanged, as far as one can see: one may write what the other touches.
  bool may_conflict(const effects& first, const effects& second) const;

  /// The two cannot be exchanged, for sure.
  bool must_conflict(const effects& first, const effects& second) const;
  bool must_conflict(const Instruction& first, const Instruction& second) const;

 private:
  bool may_conflict(Instruction& first, Instruction& second) const;

  struct analysis;
  std::unique_ptr<analysis> analysis_;
};

} // namespace windrow::compiler::defer
