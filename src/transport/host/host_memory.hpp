// SPDX-License-Identifier: BSD-3-Clause
// The layout of the memory that the PEs of one host share. See README.md in this folder.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "transport/block.hpp"
#include "transport/host/bell.hpp"
#include "transport/host/heap_size.hpp"
#include "transport/transport.hpp"

namespace windrow::transport {

inline constexpr std::size_t max_teams = 64;
inline constexpr std::size_t inline_bytes = 128;       ///< small collective contributions travel in the slot
inline constexpr std::size_t bounce_bytes = 32 * 1024; ///< larger ones through this buffer, piece by piece

/// What the processes agree on before they map anything; a pure function of PEs and sizes. A PE's segment is
/// its heap followed by room for data: the global variables that a PE adopts.
struct geometry {
  geometry(pe_t pes, segment_size);

  std::uint32_t pes;
  std::uint32_t block_bytes; ///< of a block with its header
  std::uint32_t blocks_per_pe;
  std::size_t heap_bytes;
  std::size_t data_bytes;
  std::size_t segment_bytes; ///< of both
  std::size_t control, slots, bounce, requests, buffers, sim, tasks, blocks, heaps,
      total; ///< offsets of the regions, and the end
};

/// One PE's part in one step of a collective of one team. Only its PE writes it; see src/pgas/README.md. What
/// the others wait for and, if it fits, what they then read is one cache line: they get both in one transfer.
struct alignas(64) collective_slot {
  std::byte beside[56];
  std::atomic<std::uint32_t> arrived; ///< the number of the last step that used this part, counted from 1
  alignas(64) std::byte apart[inline_bytes];
  std::uint64_t signature; ///< which collective and of what size: compared when checks are on
  std::uint64_t bytes;
  std::uint64_t arrived_ns; ///< when the member arrived, if PEs are at a distance (transport/hook)

  /// Where a contribution of `size` bytes is, aligned to 64.
  std::byte* data(std::size_t size) { return size <= sizeof beside ? beside : apart; }
};

/// A small broadcast whose root does not wait for the others. Only the root writes it, and like a
/// collective_slot it is one cache line if what it has fits.
struct alignas(64) broadcast_slot {
  std::byte beside[56];
  std::atomic<std::uint64_t> shown; ///< one more than the steps of the team before
  std::byte apart[inline_bytes];

  /// Where `size` bytes are, aligned to 64.
  std::byte* data(std::size_t size) { return size <= sizeof beside ? beside : apart; }
};
inline constexpr std::uint32_t broadcasts_per_step = 8; ///< that are no steps themselves

/// The latest arrivals in a step of members that take turns, so that each knows that of the others.
struct latest_arrivals {
  std::atomic<std::uint64_t> last_ns, last_but_one_ns;
};

/// A PE's place in a team. `released` and `generation` of the team's first PE count its members out;
/// `arrivals` and `latest` count them in where PEs take turns (src/pgas/README.md).
struct alignas(64) team_slot {
  std::atomic<std::uint32_t> released;
  std::atomic<std::uint32_t> generation;
  std::atomic<std::uint64_t> arrivals; ///< of all members, in all steps
  latest_arrivals latest[2];           ///< of the steps, in turn
  collective_slot parts[2];            ///< used in turn, so that one synchronisation per step is enough
  broadcast_slot broadcasts[broadcasts_per_step]; ///< of this PE as the root
};

/// A PE's words that others read and write. Each has a cache line of its own.
struct pe_control {
  alignas(64) std::atomic<std::uint32_t> inbox; ///< newest arrival (block number + 1), 0 when empty
  alignas(64) windrow::transport::bell bell;
  alignas(
      64) std::atomic<std::uint32_t> applying; ///< the PE is changing its memory without atomic instructions
  alignas(64) std::atomic<pe_state> state;
  std::atomic<std::uint32_t> holds_back; ///< it handles no messages for now (src/aggregation)
  wait_record waiting;
};

/// Requests that a PE may have with other hosts at a time, by the data for which there is room.
struct request_class {
  std::uint32_t first, count; ///< their numbers
  std::size_t bytes;
};
/// Of the largest two fit into a message (transport/hosts/outgoing_messages.hpp). The smallest have their
/// data in them, the others in buffers.
inline constexpr std::array request_classes{request_class{0, 8, 32 * 1024 - 64}, request_class{8, 32, 2048},
                                            request_class{40, 56, 64}};
inline constexpr std::uint32_t requests_per_pe = request_classes.back().first + request_classes.back().count;
inline constexpr std::size_t request_bytes = request_classes[0].bytes;
inline constexpr std::size_t small_request_bytes = request_classes.back().bytes;
/// Of the buffers of a PE: where those of the second class begin, and the bytes of all.
inline constexpr std::size_t first_medium_buffer = request_classes[0].count * request_bytes;
inline constexpr std::size_t buffer_bytes =
    first_medium_buffer + request_classes[1].count * request_classes[1].bytes;

/// What a PE asks the agent of its host for (transport/hosts).
enum class request_kind : std::uint32_t { put, get, change, changes, show, leave, reset, state, over, ring };
/// An answer advances the phase by one.
enum class request_phase : std::uint32_t { free, filling, sent, answered, sent_later, answered_later };
/// Added to the phase of a request that was sent while somebody sleeps on it.
inline constexpr std::uint32_t request_awaited = 16;

struct alignas(64) request {
  std::atomic<std::uint32_t> phase; ///< a request_phase
  std::uint32_t next;               ///< link in the agent's inbox
  request_kind kind;
  pe_t from;
  pe_t to;             ///< whose memory; of a team, the first member
  std::uint32_t bytes; ///< of data; of a step, those in the bounce buffer
  std::uint64_t offset;
  std::uint32_t verb, type; ///< of `change` (detail/atomic_change.hpp)
  std::uint32_t team;
  std::uint32_t step; ///< of the team, as in `arrived`; of `put` and `get` the bytes of a block, or 0: dense
  pe_t stride, size;  ///< of the team
  std::uint32_t turn; ///< of the bounce buffer
  std::uint32_t out_bytes;
  std::uint64_t operand; ///< and the answer of `change`
  std::uint64_t expected;
  void* out; ///< in the PE's own memory: where the `out_bytes` bytes of an answer go that nobody waits for
  std::int64_t stride_there, stride_here; ///< from block to block, in the PE's memory and at `out`
  alignas(64) std::byte small[small_request_bytes];
};

/// Of a stall, by one PE for all.
enum class stall_report : std::uint32_t { none, begun, made };

struct job_control {
  std::uint64_t magic; ///< of the version that laid this memory out
  alignas(
      64) std::atomic<std::uint32_t> direct_atomics; ///< PEs that use atomic instructions on others' memory
  alignas(64) std::atomic<stall_report> stall_reported;
  std::uint32_t processors;        ///< that the job may use; 0: what this process may
  std::atomic<std::uint32_t> over; ///< a PE has ended the job, successfully
  alignas(
      64) std::atomic<std::uint32_t> agent_inbox; ///< what PEs of this host have for others (transport/hosts)
  alignas(64) std::atomic<std::uint32_t> agent_bell;
  std::atomic<std::uint32_t> agent_sleeps;
  std::atomic<std::uint32_t> loss_reported; ///< a PE has said which one was lost (transport/foreign)
  std::atomic<std::uint32_t> departed;      ///< a PE has finalized the job, or failed
};

/// A PE in a simulated network (transport/sim). But for `turn`, only who has the turn uses it.
struct alignas(64) sim_place {
  std::atomic<std::uint32_t> turn;       ///< 1: this PE's; PEs sleep on it
  std::uint32_t asleep;                  ///< it waits for a message or a ring
  std::uint32_t position;                ///< in the queue, counted from 1; 0: not in it
  std::uint32_t entry;                   ///< of the queue, at the position of this PE's number
  std::uint64_t due_ps;                  ///< of a PE in the queue: when it goes on
  std::uint64_t port_free_ps;            ///< of this PE, inside its host
  std::uint64_t out_free_ps, in_free_ps; ///< of the host that has this PE's number
};

struct alignas(64) sim_control {
  std::atomic<std::uint32_t> joined;   ///< PEs that wait for the beginning
  std::atomic<std::int32_t> processor; ///< that all PEs share, counted from 1
  std::uint32_t queued;
  std::uint32_t looked_again; ///< nothing has happened since all sleepers looked once more
  std::uint32_t stuck;        ///< nobody can ever go on
};

/// Memory of each PE for tasks that others of the host may take from it (src/tasks); zero at first, and
/// nobody touches it in jobs without such tasks.
inline constexpr std::size_t task_bytes = 260 * 1024;

/// Typed access to a mapped region with the layout of `geometry`.
class host_memory {
 public:
  host_memory(std::byte* base, const geometry& shape) : base_(base), shape_(shape) {}

  const geometry& shape() const { return shape_; }
  std::byte* base() const { return base_; }
  job_control& job() const { return *reinterpret_cast<job_control*>(base_); }
  pe_control& control(pe_t pe) const { return reinterpret_cast<pe_control*>(base_ + shape_.control)[pe]; }
  team_slot& slot(pe_t pe, std::uint32_t team) const {
    return reinterpret_cast<team_slot*>(base_ +
                                        shape_.slots)[static_cast<std::size_t>(pe) * max_teams + team];
  }
  /// Two buffers of `bounce_bytes`, used in turn.
  std::byte* bounce(pe_t pe, int turn) const {
    return base_ + shape_.bounce +
           (static_cast<std::size_t>(pe) * 2 + static_cast<std::size_t>(turn)) * bounce_bytes;
  }
  request& request_number(std::uint32_t number) const {
    return reinterpret_cast<request*>(base_ + shape_.requests)[number];
  }
  /// Where the `bytes` bytes of a request are.
  std::byte* request_data(std::uint32_t number, std::size_t bytes) const {
    if (bytes <= small_request_bytes) return request_number(number).small;
    const auto pe = number / requests_per_pe, buffer = number % requests_per_pe;
    constexpr auto medium = request_classes[1];
    return base_ + shape_.buffers + std::size_t{pe} * buffer_bytes +
           (buffer < medium.first ? buffer * request_bytes
                                  : first_medium_buffer + (buffer - medium.first) * medium.bytes);
  }
  block* block_number(std::uint32_t number) const {
    return reinterpret_cast<block*>(base_ + shape_.blocks +
                                    static_cast<std::size_t>(number) * shape_.block_bytes);
  }
  std::uint32_t number_of(const block* b) const {
    const auto offset = reinterpret_cast<const std::byte*>(b) - (base_ + shape_.blocks);
    return static_cast<std::uint32_t>(static_cast<std::size_t>(offset) / shape_.block_bytes);
  }
  sim_control& sim() const { return *reinterpret_cast<sim_control*>(base_ + shape_.sim); }
  sim_place& place(pe_t pe) const {
    return reinterpret_cast<sim_place*>(base_ + shape_.sim + sizeof(sim_control))[pe];
  }
  std::byte* tasks(pe_t pe) const { return base_ + shape_.tasks + static_cast<std::size_t>(pe) * task_bytes; }
  /// That the job may use.
  int processors() const;
  void set_state(pe_t, pe_state) const;
  /// Some PE has finalized the job, or failed: before that nobody need look which.
  bool any_departed() const { return job().departed.load(std::memory_order_acquire) != 0; }
  segments heaps() const { return {base_ + shape_.heaps, shape_.segment_bytes, shape_.heap_bytes}; }

 private:
  std::byte* base_;
  geometry shape_;
};

} // namespace windrow::transport
