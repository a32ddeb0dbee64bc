// SPDX-License-Identifier: BSD-3-Clause
// Accesses of one loop that one bulk transfer makes for many rounds at a time.
#pragma once

#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include <vector>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/analyses.hpp"

namespace windrow::compiler::comm {

/// An access of each round whose place moves by the same number of bytes from one round to the next.
struct stepping_access {
  plain_access access;
  const SCEVAddRecExpr* address;
  const SCEV* pe;
  int64_t step;
};

/// The bytes `offset` to `offset + access.bytes` of what a transfer moves for a round.
struct member {
  plain_access access;
  int64_t offset;
};

/// The lowest byte of the first round is at `start`. Those between members are read too, if the transfer is
/// not strided; a write has none between them.
struct transfer {
  bool reads, strided;
  const SCEV *start, *pe;
  int64_t step;
  uint64_t span; ///< bytes of a round, from the lowest to the highest
  SmallVector<member, 4> members;

  uint64_t distance() const { return static_cast<uint64_t>(step < 0 ? -step : step); }
  /// From one round to the next in the buffer.
  uint64_t pitch() const { return strided ? span : distance(); }
};

/// A place of each round that a call of the loop reads, and goes on reading by itself.
struct kept_read {
  const SCEV *start, *pe;
  int64_t step;
  uint64_t span;
};

struct grouping {
  std::vector<transfer> transfers;
  /// Those that no transfer can make, and why.
  std::vector<std::pair<stepping_access, std::string>> left;
};

/// `accesses`: in the order of the program.
grouping make_transfers(ArrayRef<stepping_access> accesses, ScalarEvolution& evolution);

/// How many pairs of places are compared in front of the loop, at most, before anything of it is written
/// late. `kept`: reads that must not meet a write.
size_t comparisons_of(ArrayRef<transfer> transfers, size_t kept);
/// Of each kind: so many take little time to compile.
inline constexpr size_t most_comparisons = 1024;
inline constexpr const char* too_many_comparisons = "too many places of the loop would have to be compared";

/// Whether the two never touch one byte, in whichever rounds: they keep a known distance.
bool never_meet(const transfer& one, const transfer& other, ScalarEvolution& evolution);

/// Whether no round reads what an earlier one has written, or itself before: then all rounds may read before
/// any of them writes. They keep a known distance.
bool all_reads_first(const transfer& reads, const transfer& writes, known_facts& facts);
/// Whether they keep a known distance, of a round or less.
bool are_neighbours(const transfer& one, const transfer& other, ScalarEvolution& evolution);

} // namespace windrow::compiler::comm
