// SPDX-License-Identifier: BSD-3-Clause
// What a PE has to do with the PEs of other hosts. It never talks to them itself: it leaves requests in the
// memory of its host, and the agent of the host carries them out. README.md has the protocol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "transport/host/host_memory.hpp"
#include "transport/hosts/host_map.hpp"
#include "transport/hosts/request_slots.hpp"
#include "windrow/detail/atomic_change.hpp"
#include "windrow/detail/copy.hpp"

namespace windrow::transport {

class agent;

/// `put`, `get` and `change` return when the operation is complete at its target. Those that end in `_later`
/// are complete when `complete` returns, and may return before; operations of this PE on one other PE are
/// carried out in the order of the calls, of either form. Any thread may make any call.
class other_hosts {
 public:
  other_hosts(const host_memory&, pe_t pe, const host_map&, const processor_share&);

  /// The agent, where it lives in this process; null before it is closed.
  void set_agent(agent* here) { slots_.set_agent(here); }

  bool has(pe_t pe) const { return !map_.is_here(pe); }
  const host_map& map() const { return map_; }

  void put(pe_t to, std::uint64_t offset, const void* from, std::size_t bytes);
  void get(pe_t of, std::uint64_t offset, void* to, std::size_t bytes);
  /// Returns the value before.
  std::uint64_t change(pe_t of, std::uint64_t offset, const detail::atomic_change&);

  /// `from` may be used again when it returns.
  void put_later(pe_t to, std::uint64_t offset, const void* from, std::size_t bytes);
  /// The bytes at `to` are there when it is complete.
  void get_later(pe_t of, std::uint64_t offset, void* to, std::size_t bytes);
  /// Blocks, which travel together.
  void put_strided_later(pe_t to, std::uint64_t offset, const void* from, const detail::strides&);
  void get_strided_later(pe_t of, std::uint64_t offset, void* to, const detail::strides&);
  /// The value before, of `bytes` bytes, is at `before` when it is complete; not wanted if that is null.
  void change_later(pe_t of, std::uint64_t offset, const detail::atomic_change&, void* before,
                    std::size_t bytes);
  /// Several, in their order; no value before is wanted.
  void change_many_later(pe_t of, std::span<const detail::placed_change>);
  /// Returns when all operations that this PE has begun are complete.
  void complete() { slots_.complete(); }

  // Teams (pgas/README.md). What these tell arrives at other hosts in the order of the calls.

  /// Shows this PE's part of team slot `team` that belongs to the step `arrived` (which it has stored there),
  /// and the first `bounced` bytes of its bounce buffer `turn`, to the other hosts with members.
  struct step {
    std::uint32_t team;
    pe_t first, stride, size; ///< the members
    std::uint32_t arrived;
    std::uint32_t bounced;
    std::uint32_t turn;
  };
  void show(const step&);
  /// Counts this PE out of a team of `size` PEs at its first member.
  void leave_team(std::uint32_t team, pe_t first, pe_t size);
  /// The parts of this PE's slot have been set back to 0.
  void reset(std::uint32_t team);

  /// Wakes a PE of another host if it sleeps.
  void ring(pe_t);
  void tell_state();
  void tell_over();
  /// A block of this PE, or of another host that this PE has worked on, that is to travel.
  void hand_over(block*);

 private:
  request& fill(request_kind, pe_t to, std::uint64_t offset, std::size_t bytes);
  template <class Transfer>
  static void for_parts(const detail::strides&, Transfer);
  request& fill(pe_t to, std::uint64_t offset, const detail::atomic_change&);

  host_memory memory_;
  const host_map& map_;
  pe_t pe_;
  request_slots slots_;
};

} // namespace windrow::transport
