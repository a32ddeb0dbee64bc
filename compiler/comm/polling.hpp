// SPDX-License-Identifier: BSD-3-Clause
// Reads whose value decides whether a loop around them goes on: they wait for another PE, whatever the shape
// of the loop, and stay as they are.
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/analyses.hpp"
#include "compiler/comm/bulk.hpp"

namespace windrow::compiler::comm {

/// Whether what is read may decide, by whichever way, about an exit of `innermost` or of a loop around it.
/// All of these contain the read. False if `innermost` is null.
bool may_poll(const plain_access& read, const Loop* innermost, known_facts& facts);

/// Those of the accesses that poll in loops inside `loop`.
SmallVector<plain_access, 2> polling_inside(const Loop& loop, ArrayRef<plain_access> accesses,
                                            known_facts& facts);

/// Whether the read may be the first look of one of those that poll, in a loop that does not contain it, or
/// is of the same place.
bool may_be_waited_for(const plain_access& read, ArrayRef<plain_access> polling, known_facts& facts);

/// Like `may_poll`, of what the loops plainly read where `read` has put it, for a read that may only become
/// later.
bool plainly_polls(const bulk_access& read, const Loop* innermost, known_facts& facts);

/// Like `may_poll`, and like `plainly_polls`, about the exits of one loop alone, which contains the read.
bool may_end(const plain_access& read, const Loop& loop, const PostDominatorTree& behind,
             memory_readers& readers);
bool plainly_ends(const bulk_access& read, const Loop& loop, const PostDominatorTree& behind,
                  memory_readers& readers);

/// Like `may_end`, about the exits of the loops between `around` and the read, but those that a bound in
/// memory decides: how often it is looked there for something of another PE.
bool may_end_inside(const plain_access& read, const Loop& around, known_facts& facts);

/// Whether the read may be the moment at which this PE learns what another one has done, so that memory of
/// this one is not what it was before: nothing promises otherwise, or it polls.
bool may_wait(const plain_access& read, known_facts& facts);

/// The first such read of the loop, and of those in it, or a branch that looks again and again at memory of
/// this PE; null if there is none.
const Instruction* waits_in(const Loop& loop, known_facts& facts);

/// The first load of memory of this PE that may end the loop, or one in it, when other PEs have written
/// there, where that loop has a read that may wait for it; null if there is none. Not of a bound.
const LoadInst* watches_in(const Loop& loop, known_facts& facts);

/// Whether other PEs may write there. Not in variables of functions.
bool others_may_write(const MemoryLocation& place, known_facts& facts);

/// Rounds of polling that are written one behind the other: what the first read brings may decide, by
/// whichever way, whether the second one is made, and that one's value which way the program goes. The first
/// dominates the second.
bool may_poll_in_turn(const plain_access& first, const plain_access& second, known_facts& facts);

} // namespace windrow::compiler::comm
