// SPDX-License-Identifier: BSD-3-Clause
// What may not happen while a get or a put is under way, that the program has made before.
#pragma once

#include "compiler/comm/analyses.hpp"
#include "compiler/comm/bulk.hpp"

namespace windrow::compiler::comm {

/// What an instruction asks for, while a transfer is under way: nothing; that it is looked, as the program
/// runs, whether they meet in memory of this PE; that it is complete.
enum class need { nothing, look, wait };

/// Memory of this PE that an instruction uses.
struct used_memory {
  MemoryLocation place;
  Value* at;
  Value* bytes; ///< null: those of the place, which are known
  bool writes;
};

class conflict_finder {
 public:
  /// As long as no memory is used that is not used now.
  explicit conflict_finder(known_facts& facts);

  /// Of an instruction that is not itself a transfer which is begun. Both may be of any rounds of the loops
  /// around them.
  need of(Instruction& instruction, const bulk_access& begun);

  /// What the instruction uses, if that is all it does, and how much it is is known as it runs.
  static SmallVector<used_memory, 2> used_by(Instruction& instruction);
  /// Whether it may be in use by the transfer, or the instruction may tell others that the transfer is done.
  bool may_matter(const used_memory& one, const Instruction& by, const bulk_access& begun);

 private:
  need of_access(Instruction& instruction, const bulk_access& begun);
  need of_call(CallBase& call, const bulk_access& begun);
  need by_effect(Instruction& instruction, const bulk_access& begun);
  bool may_meet(const used_memory& one, const bulk_access& begun);
  bool may_tell(const used_memory& one, const Instruction& by, const bulk_access& begun) const;
  bool may_tell(const CallBase& call, const bulk_access& begun) const;
  bool is_in_loop_behind(const Instruction& one, const bulk_access& begun) const;
  bool is_apart(const MemoryLocation& one, const MemoryLocation& other);

  const LoopInfo& loops_;
  BatchAAResults aliases_;
};

} // namespace windrow::compiler::comm
