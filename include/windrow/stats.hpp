// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/types.hpp"

namespace windrow {

/// What one PE has done since the job began; always counted. `job::stats()` returns a copy, `WINDROW_STATS=1`
/// prints those of all PEs when the job ends. Plain numbers, so differences between two copies make sense.
struct counters {
  std::uint64_t direct_operations =
      0; ///< one-sided operations executed at once by load, store or atomic instruction
  std::uint64_t direct_bytes = 0; ///< payload of those
  /// Waits for their answers, from other hosts or PEs at a distance (WINDROW_DELAY, WINDROW_SIM). Those of a
  /// nonblocking context are waited for together.
  std::uint64_t round_trips = 0;
  /// Aggregated operations and messages that left in blocks. (Messages of any size count as their words.)
  std::uint64_t items_sent = 0;
  std::uint64_t items_handled = 0; ///< the same, handled here for others (and for this PE itself)
  std::uint64_t runs_sent = 0;     ///< runs of equal operations in those blocks
  std::uint64_t blocks_sent = 0;
  std::uint64_t blocks_full = 0;      ///< of these, sent because no more would fit
  std::uint64_t bytes_sent = 0;       ///< payload of the blocks, headers of runs included
  std::uint64_t polls = 0;            ///< looks at the inbox from within operations (not from waits)
  std::uint64_t inbox_age_max_ns = 0; ///< longest time from the sending of a block to its handling here
  std::uint64_t waits = 0;            ///< waits that did not end at once
  std::uint64_t sleeps = 0;           ///< of these, turns of giving up the processor until rung
  std::uint64_t spilled_blocks = 0;   ///< blocks that handlers filled while no shared block was free
  std::uint64_t barriers = 0;
  std::uint64_t deferred = 0;           ///< continuations that have run because a value had come
  std::uint64_t deferred_bytes_max = 0; ///< most memory of those that waited, at a time
  std::uint64_t deferred_helps = 0;     ///< operations that made room for their continuation first
  std::uint64_t tasks_stolen = 0;       ///< portable tasks that this PE has taken from others

  // With WINDROW_BULK only.
  std::uint64_t bulk_puts = 0;      ///< that did not wait for their answers
  std::uint64_t bulk_updates = 0;   ///< atomic operations without a result, the same
  std::uint64_t bulk_messages = 0;  ///< by which those left that had been kept
  std::uint64_t bulk_conflicts = 0; ///< times that they left early, because their place, or one that cannot
                                    ///< be told from it, was to be read
  std::uint64_t bulk_ahead = 0;     ///< reads that had been made when they were called for
  std::uint64_t bulk_unused = 0;    ///< reads that were made ahead, or would have been, for nothing

  // Of mobile objects.
  std::uint64_t object_messages = 0; ///< handled here
  std::uint64_t object_forwards = 0; ///< of messages that came here after their object had left
  std::uint64_t object_parks = 0;    ///< times that a message had to wait here: for its object, or its turn
  std::uint64_t object_moves = 0;    ///< of objects that have left this PE
  std::uint64_t object_bytes_moved = 0; ///< of those

  // In a simulated network only (WINDROW_SIM).
  std::uint64_t messages = 0; ///< to other PEs: blocks, blocks that go home, both ways of direct operations
                              ///< on other hosts, steps of collectives
  std::uint64_t messages_between_hosts = 0; ///< of those, to other hosts
  std::uint64_t message_bytes = 0;          ///< of all of those, headers included
  std::uint64_t idle_ns = 0;                ///< spent waiting, by the simulated clock
};
template <>
inline constexpr bool is_transferable<counters> = true;

} // namespace windrow
