// SPDX-License-Identifier: BSD-3-Clause
// Who may read what an instruction writes in memory of this PE: looked for once, however often it is asked.
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>

#include <utility>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::comm {

/// As long as there are no new instructions that read. Some may have moved.
class memory_readers {
 public:
  explicit memory_readers(AAResults& aliases) : aliases_(aliases) {}

  /// All in the loop, or in the function if that is null, which has these blocks, but calls of the library.
  ArrayRef<Instruction*> all(const Loop* within, ArrayRef<BasicBlock*> blocks);
  /// Those of what `by` writes, in any rounds.
  ArrayRef<Instruction*> of(Instruction& by, const Loop* within, ArrayRef<BasicBlock*> blocks);
  /// Whether what is written in any round may be what is read in another one.
  bool may_meet(const MemoryLocation& written, const MemoryLocation& read) const;
  /// There are new ones.
  void forget();

 private:
  AAResults& aliases_;
  DenseMap<const Loop*, SmallVector<Instruction*, 16>> all_;
  DenseMap<std::pair<const Loop*, const Instruction*>, SmallVector<Instruction*, 2>> of_;
};

/// What is sent to other PEs is not followed there.
bool is_of_library(const Instruction& instruction);

} // namespace windrow::compiler::comm
