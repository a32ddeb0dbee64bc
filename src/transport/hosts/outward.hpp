// SPDX-License-Identifier: BSD-3-Clause
// What the PEs of this host have for others: the agent turns their blocks and requests into records.
#pragma once

#include <cstdint>
#include <vector>

#include "transport/host/host_memory.hpp"
#include "transport/hosts/peer_hosts.hpp"
#include "transport/hosts/send_window.hpp"
#include "transport/hosts/wake_ups.hpp"

namespace windrow::transport {

class outward {
 public:
  outward(const host_memory&, const host_map&, peer_hosts&, wake_ups&);

  bool has_entries() const { return memory_.job().agent_inbox.load(std::memory_order_relaxed) != 0; }
  /// Empties the inbox of the agent. True if anything was there.
  bool take_entries();
  /// A block of this host is back (record `home`): puts it into the inbox of its PE, and lets others leave.
  void come_home(const record&, const std::byte* content, int host);

 private:
  void forward(const block&, std::uint32_t number);
  void forward(request&, std::uint32_t number);
  bool forward_access(const request&, record&);
  void forward_state(const request&, record&);
  void forward_parts(const request&);
  bool all_here_have_shown(const request&);
  void append_part(pe_t to, pe_t from, const request& team);
  template <class Action>
  void for_members_here(const request& team, Action) const;
  void send_admitted(int host);

  host_memory memory_;
  const host_map& map_;
  peer_hosts& others_;
  wake_ups& wake_ups_;
  send_window window_;
  std::uint32_t first_place_; ///< number of the block that is the first place, at every other host
  std::vector<std::uint32_t> first_place_of_; ///< by host: the same for its blocks, here
  std::vector<std::uint32_t> entries_;

  /// What a PE of this host has shown of a team slot in one of the last two steps: it may see that the others
  /// here have arrived, and show the next step, before these have told the agent.
  struct shown_part {
    std::uint32_t step = 0; ///< counted from 1
    std::uint32_t bounced = 0, turn = 0;
  };
  shown_part& shown(pe_t pe, std::uint32_t team, std::uint32_t step) {
    return shown_[(static_cast<std::size_t>(pe) * max_teams + team) * 2 + step % 2];
  }
  std::vector<shown_part> shown_;
};

} // namespace windrow::transport
