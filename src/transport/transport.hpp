// SPDX-License-Identifier: BSD-3-Clause
// How PEs reach each other. Everything above this interface is written once, for every transport.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "os/cpu.hpp"
#include "transport/block.hpp"
#include "transport/bulk/bulk_parts.hpp"
#include "transport/wait_record.hpp"
#include "windrow/stats.hpp"
#include "windrow/types.hpp"

namespace windrow::transport {

/// Where a PE is in its life, as the others see it. One that rests may end, or run again.
enum class pe_state : std::uint32_t { starting, running, finalized, failed, resting };
constexpr bool may_end(pe_state state) {
  return state == pe_state::finalized || state == pe_state::resting;
}

/// The symmetric segments: one per PE, the one of PE p at `first + p * stride` for load and store. `bytes` of
/// each are heap; the rest, up to the stride, is room for `adopt`. Segments of PEs on other hosts have
/// addresses as well, but nothing is mapped there.
struct segments {
  std::byte* first;
  std::size_t stride;
  std::size_t bytes;
};

class host_memory;
class latency_model;
class other_hosts;
class remote_memory;

class transport {
 public:
  virtual ~transport() = default;

  virtual std::string_view name() const = 0;
  virtual pe_t pe() const = 0;
  virtual pe_t pes() const = 0;
  virtual const segments& symmetric() const = 0;
  /// Makes `bytes` of this process's own memory at `begin`, with their contents, the part of this PE's
  /// segment that begins at `offset` (beyond the heap; all whole pages). Only while no other thread runs.
  /// Throws windrow::error.
  virtual void adopt(std::byte* begin, std::size_t bytes, std::size_t offset) = 0;
  /// In a process that this one has forked: what was adopted is that process's own memory again, with the
  /// contents that it has.
  virtual void disown() = 0;

  /// What PEs of one host share besides their segments: control words, team slots, bounce buffers.
  virtual host_memory& host() = 0;

  /// The latency that is imitated, for direct operations and collectives; null where none is. Blocks travel
  /// accordingly already.
  virtual const latency_model* latency() const { return nullptr; }

  /// The PEs of other hosts, whose memory is not here; null where there are none. Blocks reach them like any
  /// others.
  virtual other_hosts* remote_hosts() const { return nullptr; }

  // Direct operations.

  /// Whether load and store reach the symmetric memory of all PEs, so that nobody need ask.
  virtual bool is_plain() const { return latency() == nullptr && remote_hosts() == nullptr; }
  /// Whether programs may be given plain addresses of other PEs' memory on this host.
  virtual bool shares_addresses() const { return latency() == nullptr; }
  /// What carries out those operations of this PE that are not loads and stores. Lives no longer than the
  /// transport.
  virtual std::unique_ptr<remote_memory> make_remote();
  /// From now on that which `make_remote` has given, or what takes its place, does what WINDROW_BULK can ask
  /// for; returns what it did. Nothing where load and store reach all memory. After `charge_by`, while no
  /// other thread of this PE uses it.
  virtual bulk_parts set_bulk(bulk_parts, std::unique_ptr<remote_memory>&) { return {}; }

  // Blocks. A PE owns a fixed pool of them, so the memory for traffic is bounded: some for each PE of the
  // job, which are the smaller the more there are (geometry, in host/host_memory.hpp).

  virtual std::size_t block_capacity() const = 0; ///< bytes of payload of a block
  /// A free block of this PE, or null: then serve `receive` until blocks come home.
  virtual block* acquire() = 0;
  /// Takes a block back that was acquired, or has come home.
  virtual void discard(block*) = 0;
  /// Hands a filled block to `to` (which may be this PE). Blocks of one sender arrive in order.
  virtual void commit(block*, pe_t to) = 0;
  /// The next arrival, or null: a block of another PE to be worked on and then sent `home`, or (`home` set)
  /// one of our own that has been worked on.
  virtual block* receive() = 0;
  virtual bool has_arrivals() const = 0;
  /// Sends a received block back to its source.
  virtual void send_home(block*) = 0;
  /// A number that is the same in all PEs, for an own block: 0 … pool size - 1.
  virtual std::uint32_t pool_index(const block*) const = 0;
  virtual std::uint32_t pool_size() const = 0;

  // Sleeping and waking.

  /// Wakes `pe` if it sleeps. Whatever it waits for must have been written before, with sequential
  /// consistency.
  virtual void ring(pe_t pe) = 0;
  /// Announces that this PE is about to sleep; afterwards the caller must look once more at what it waits
  /// for.
  virtual std::uint32_t prepare_sleep() = 0;
  /// Sleeps until rung after `prepare_sleep`, at most `limit`.
  virtual void sleep(std::uint32_t ticket, std::chrono::nanoseconds limit) = 0;
  virtual void cancel_sleep() = 0;
  /// Sleeps until the moment `due_ns` of `now_ns`, or until there is an arrival.
  virtual void sleep_until(std::uint64_t due_ns) {
    const auto ticket = prepare_sleep();
    const auto now = now_ns();
    if (has_arrivals() || now >= due_ns)
      cancel_sleep();
    else
      sleep(ticket, std::chrono::nanoseconds(due_ns - now));
  }

  // Time. In a simulated network (transport/sim) it passes by what things cost there, not by itself.

  /// The clock by which PEs are at a distance and blocks are dated.
  virtual std::uint64_t now_ns() { return os::now_ns(); }
  /// What a program is told that asks for the time.
  virtual std::uint64_t told_ns() { return now_ns(); }
  /// One PE runs at a time, and one that polls keeps the others from running.
  virtual bool takes_turns() const { return false; }
  /// All PEs sleep, and nothing is under way that could wake one.
  virtual bool is_stuck() const { return false; }
  /// This PE's program works for so long. Real work takes its time by itself.
  virtual void compute(std::uint64_t /*ns*/) {}
  /// Whether the next two are to be called around each call that synchronizes.
  virtual bool follows_calls() const { return false; }
  /// The program calls `name`, and has worked until now. Null: the library works for itself. Calls within
  /// another one are part of it.
  virtual void enter_call(const char* /*name*/) {}
  virtual void leave_call() {}
  /// What this PE counts: items are charged by it. `counters` lives as long as the transport is used.
  virtual void charge_by(counters&) {}

  // Life and diagnosis.

  virtual pe_state state_of(pe_t) const = 0;
  virtual void set_state(pe_state) = 0;
  /// Whether it may be `resting`; where it may not, the end of a job is final.
  virtual bool may_rest() const { return true; }
  /// Called just before this process exits with code 0: from then on the job counts as ended successfully.
  virtual void end_job() = 0;
  /// What a PE waits for at this moment; readable by every PE.
  virtual wait_record& waiting(pe_t) = 0;
};

} // namespace windrow::transport
