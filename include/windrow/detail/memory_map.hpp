// SPDX-License-Identifier: BSD-3-Clause
// Where the symmetric segments of all PEs are, for the inlined part of one-sided operations.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "windrow/detail/atomic_change.hpp"
#include "windrow/stats.hpp"
#include "windrow/types.hpp"

namespace windrow::transport {
class host_memory;
class distance;
class other_hosts;
} // namespace windrow::transport

namespace windrow::detail {

/// Whose code runs on the PE's thread: what may wait, and what may run continuations, depends on it.
enum class running : std::uint8_t {
  program,
  handler,      ///< of messages
  continuation, ///< of a fetching operation
};

struct memory_map {
  std::byte* first = nullptr; ///< segment of PE 0
  std::size_t stride = 0;     ///< from one PE's segment to the next PE's
  std::size_t bytes = 0; ///< of a segment; 0 once the job is finalized, so that every later access is caught
  pe_t pe = 0;
  pe_t pes = 0;
  pe_t near_pes = 0; ///< the same, or 0 where PEs are at a distance or on several hosts, and at the end
  std::atomic<bool> atomics_announced = false; ///< see announce_atomics
  std::atomic<bool> plain_atomics = false;     ///< announced, and all PEs are near
  bool keep_announced = false; ///< threads of this PE may be in the middle of atomic operations at any time
  transport::host_memory* gate = nullptr;   ///< where it is announced
  const transport::distance* far = nullptr; ///< what direct operations on other PEs have to wait for, if any
  /// Changed by the one thread that is in the engine, and read by all.
  std::atomic<running> runs = running::program;
  transport::other_hosts* elsewhere = nullptr; ///< who reaches the PEs of other hosts, if there are any
  bool begun_elsewhere = false;                ///< something that `complete_elsewhere` has to wait for
  counters stats;

  std::byte* segment(pe_t owner) const { return first + static_cast<std::size_t>(owner) * stride; }

  running now() const { return runs.load(std::memory_order_relaxed); }
  /// Returns what ran before.
  running begin(running r) {
    const auto before = now();
    runs.store(r, std::memory_order_relaxed);
    return before;
  }

  /// The address of `size` bytes at `offset` of `owner`'s segment. Ends the job, naming `operation`, if there
  /// is none.
  std::byte* address(pe_t owner, std::size_t offset, std::size_t size, const char* operation) const {
    if (static_cast<unsigned>(owner) >= static_cast<unsigned>(pes) || size > bytes || offset > bytes - size)
        [[unlikely]]
      bad_access(owner, offset, size, operation);
    return segment(owner) + offset;
  }
  /// Whether `size` bytes at `offset` of `owner`'s segment exist and are reached by load and store at once.
  bool is_plain(pe_t owner, std::size_t offset, std::size_t size) const {
    // No segment is smaller than a page, and `size` is mostly known to the compiler.
    return static_cast<unsigned>(owner) < static_cast<unsigned>(near_pes) &&
           (size <= 4096 || size <= bytes) && offset <= bytes - size;
  }
  /// Copies to and from other memory that is not plain: misuse ends the job, a distance takes its time, and
  /// other hosts are asked. Complete when they return.
  [[gnu::cold]] void put_slowly(pe_t owner, std::size_t offset, const void* from, std::size_t size,
                                const char* operation);
  [[gnu::cold]] void get_slowly(pe_t owner, std::size_t offset, void* to, std::size_t size,
                                const char* operation);

  /// If the memory is on another host, these begin the operation and return true; else they have done
  /// nothing. `from` may be used again when they return; what comes back, of `size` bytes, is at `to` or
  /// `before` (unless that is null) after `complete_elsewhere`.
  [[gnu::cold]] bool put_later(pe_t owner, std::size_t offset, const void* from, std::size_t size);
  [[gnu::cold]] bool get_later(pe_t owner, std::size_t offset, void* to, std::size_t size);
  [[gnu::cold]] bool change_later(pe_t owner, std::size_t offset, const atomic_change&, void* before,
                                  std::size_t size);
  /// Returns when all that was begun so is complete.
  void complete_elsewhere();

  /// Whether the memory of `owner` may be used by plain loads and stores.
  bool is_near(pe_t owner) const { return (far == nullptr || owner == pe) && !is_elsewhere(owner); }
  bool is_elsewhere(pe_t owner) const { return elsewhere != nullptr && is_on_another_host(owner); }
  [[gnu::cold]] bool is_on_another_host(pe_t owner) const;
  /// Waits as long as an answer from `owner` takes, to a question with `there` bytes that has `back` bytes,
  /// and counts it.
  void round_trip(pe_t owner, std::size_t there, std::size_t back);

  /// Whether an operation is to be begun on another host; counts it then.
  bool begins_elsewhere(pe_t owner, std::size_t offset, std::size_t size, const char* operation);

  [[noreturn]] void bad_access(pe_t owner, std::size_t offset, std::size_t size, const char* operation) const;
};

/// Owners apply aggregated operations to their memory without atomic instructions, which is several times
/// faster, as long as nobody else uses atomic instructions on it. A PE announces that it will, once, before
/// its first direct atomic operation; this returns when no owner is in the middle of a block
/// (src/pgas/README.md has the protocol).
void announce_atomics(memory_map&);

/// To be called before each direct atomic operation on memory of `owner` while `!plain_atomics`: announces
/// it, and waits for the round trip where PEs are at a distance. Where the memory is on another host, has the
/// operation carried out there and returns true, with the value before.
[[gnu::cold]] bool change_elsewhere(memory_map&, pe_t owner, std::size_t offset, const atomic_change&,
                                    std::uint64_t& before);

} // namespace windrow::detail
