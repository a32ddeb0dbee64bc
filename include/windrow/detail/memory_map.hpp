// SPDX-License-Identifier: BSD-3-Clause
// Where the symmetric segments of all PEs are, for the inlined part of one-sided operations.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "windrow/detail/atomic_change.hpp"
#include "windrow/detail/copy.hpp"
#include "windrow/detail/direct_operation.hpp"
#include "windrow/stats.hpp"
#include "windrow/types.hpp"

namespace windrow::transport {
class host_memory;
class latency_model;
class other_hosts;
class remote_memory;
struct write_batch;
} // namespace windrow::transport
namespace windrow::trace {
class recorder;
}

namespace windrow::detail {

/// Whose code runs on the PE's thread: what may wait, and what may run continuations, depends on it.
enum class running : std::uint8_t {
  program,
  handler,      ///< of messages
  continuation, ///< of a fetching operation
};

/// Where the segments are, and how direct operations are carried out where load and store do not do
/// (detail/direct.hpp).
struct memory_map {
  std::byte* first = nullptr; ///< segment of PE 0
  std::size_t stride = 0;     ///< from one PE's segment to the next PE's
  std::size_t bytes = 0; ///< of a segment; 0 once the job is finalized, so that every later access is caught
  std::size_t last_word = 0; ///< where the last 8 of them begin
  pe_t pe = 0;
  pe_t pes = 0;
  pe_t plain_pes = 0; ///< the same, or 0 where direct operations are left to `remote`, and at the end
  std::atomic<bool> atomics_announced = false; ///< see announce_atomics
  std::atomic<bool> plain_atomics = false;     ///< announced, and all PEs are plain
  bool keep_announced = false; ///< threads of this PE may be in the middle of atomic operations at any time
  transport::host_memory* gate = nullptr;            ///< where it is announced
  const transport::latency_model* latency = nullptr; ///< imitated, if there is one
  transport::other_hosts* remote_hosts = nullptr;    ///< who reaches the PEs of other hosts, if there are any
  transport::remote_memory* remote = nullptr;        ///< who carries out direct operations that are not plain
  trace::recorder* trace = nullptr;    ///< of direct operations, if they are traced; then none is plain
  bool shares_addresses = true;        ///< plain ones, of PEs of this host, with the program
  std::atomic<bool> under_way = false; ///< something that `complete` has to wait for
  /// Changed by the one thread that is in the engine, and read by all.
  std::atomic<running> runs = running::program;
  counters stats;

  std::byte* segment(pe_t owner) const { return first + static_cast<std::size_t>(owner) * stride; }

  void set_bytes(std::size_t new_bytes) {
    bytes = new_bytes;
    last_word = new_bytes - std::min<std::size_t>(new_bytes, 8);
  }

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
  /// `size` bytes at `offset` of `owner`'s segment, which need not exist: check
  /// first, unless the owner is plain.
  place find(pe_t owner, std::size_t offset, std::size_t size) const {
    // No segment is smaller than a page, and `size` is mostly known to the compiler. Less than a word at the
    // very end goes the long way.
    const auto last = size <= 8 ? last_word : bytes - size;
    if (!is_plain(owner) || (size > 4096 && size > bytes) || offset > last) [[unlikely]]
      return {owner, false, offset};
    return {owner, true, offset};
  }
  /// The place of what is known to lie in the segment of whichever PE exists.
  place known(pe_t owner, std::size_t offset) const { return {owner, is_plain(owner), offset}; }
  bool is_plain(pe_t owner) const { return static_cast<unsigned>(owner) < static_cast<unsigned>(plain_pes); }

  // Direct operations that are not plain: misuse ends the job, an imitated latency takes its time, and other
  // hosts are asked.
  [[gnu::cold]] void put_slowly(pe_t, std::size_t offset, const void* from, std::size_t size, until, caller);
  [[gnu::cold]] void get_slowly(pe_t, std::size_t offset, void* to, std::size_t size, until, caller);
  [[gnu::cold]] void put_strided_slowly(pe_t, std::size_t offset, const void* from, const strides&, until,
                                        caller);
  [[gnu::cold]] void get_strided_slowly(pe_t, std::size_t offset, void* to, const strides&, until, caller);
  /// Also for plain places before atomic operations are announced, which it does. Returns the value before.
  [[gnu::cold]] std::uint64_t change_slowly(pe_t, std::size_t offset, const atomic_change&, caller);
  /// Complete at `complete`; the value before, of `size` bytes, is then at `before`, unless that is null.
  [[gnu::cold]] void change_later(pe_t, std::size_t offset, const atomic_change&, void* before,
                                  std::size_t size, caller);
  /// Those of each PE in their order, as if each had been begun by itself; no value before is wanted.
  [[gnu::cold]] void write_together(std::span<const transport::write_batch>, caller);
  /// Completes what WINDROW_BULK has held back, as far as it would have been complete without WINDROW_BULK
  /// when each call returned. To be called before other PEs learn something by other means than direct
  /// operations.
  void settle() {
    if (under_way.load(std::memory_order_relaxed)) [[unlikely]]
      settle_slowly();
  }
  /// What this PE has begun happens, at each target, before what it begins from now on.
  void fence() {
    if (under_way.load(std::memory_order_relaxed)) [[unlikely]]
      fence_slowly();
  }
  /// Returns when all that this PE has begun is complete.
  void complete() {
    if (under_way.load(std::memory_order_relaxed)) [[unlikely]]
      complete_slowly();
  }

  /// Whether the program may use the memory of `owner` by plain loads and stores.
  bool is_addressable(pe_t owner) const {
    return owner == pe || (shares_addresses && !is_on_other_host(owner));
  }
  bool is_on_other_host(pe_t owner) const { return remote_hosts != nullptr && remote_hosts_have(owner); }
  [[gnu::cold]] bool remote_hosts_have(pe_t owner) const;

  [[noreturn]] void bad_access(pe_t owner, std::size_t offset, std::size_t size, const char* operation) const;

 private:
  void require(pe_t, std::size_t offset, std::size_t size, caller) const;
  void require_strided(pe_t, std::size_t offset, std::ptrdiff_t stride, const strides&, caller) const;
  std::pair<std::size_t, std::size_t> require_batch(const transport::write_batch&, caller);
  void note(pe_t owner, bool under_way_now);
  [[gnu::cold]] void fence_slowly();
  [[gnu::cold]] void complete_slowly();
  [[gnu::cold]] void settle_slowly();
};

/// Owners apply aggregated operations to their memory without atomic instructions, which is several times
/// faster, as long as nobody else uses atomic instructions on it. A PE announces that it will, once, before
/// its first direct atomic operation; this returns when no owner is in the middle of a block
/// (src/pgas/README.md has the protocol).
void announce_atomics(memory_map&);

} // namespace windrow::detail
