// SPDX-License-Identifier: BSD-3-Clause
// What a PE has to do with the PEs of other hosts. It never talks to them itself: it leaves requests in the
// memory of its host, and the agent of the host carries them out. README.md has the protocol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "transport/host/host_memory.hpp"
#include "windrow/detail/atomic_change.hpp"

namespace windrow::transport {

/// Which host each PE is on. Hosts are numbered in the order of their first PEs.
struct host_map {
  std::vector<int> host_of; ///< by PE
  int here;                 ///< this one
  int hosts;

  bool is_here(pe_t pe) const { return host_of[static_cast<std::size_t>(pe)] == here; }
  /// The first PE of a host, in which its agent runs.
  pe_t leader(int host) const;
};

/// All calls of `put`, `get` and `change` return when the operation is complete at its target. Any thread may
/// make any call.
class other_hosts {
 public:
  other_hosts(const host_memory&, pe_t pe, const host_map&);

  bool has(pe_t pe) const { return !map_.is_here(pe); }

  void put(pe_t to, std::uint64_t offset, const void* from, std::size_t bytes);
  void get(pe_t of, std::uint64_t offset, void* to, std::size_t bytes);
  /// Returns the value before.
  std::uint64_t change(pe_t of, std::uint64_t offset, const detail::atomic_change&);

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
  request* try_fill(request_kind, pe_t to);
  request& fill(request_kind, pe_t to);
  template <class Begin, class End>
  void in_pieces(request_kind, pe_t, std::uint64_t offset, std::size_t bytes, Begin, End);
  void release(request&) const;
  void send(request&);
  void await(const request&) const;
  std::uint32_t number_of(const request&) const;

  host_memory memory_;
  pe_t pe_;
  const host_map& map_;
};

} // namespace windrow::transport
