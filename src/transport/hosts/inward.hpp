// SPDX-License-Identifier: BSD-3-Clause
// What arrives from other hosts, and what the agent does with it for the PEs of this one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "transport/host/host_memory.hpp"
#include "transport/hosts/network.hpp"
#include "transport/hosts/outward.hpp"
#include "transport/hosts/peer_hosts.hpp"
#include "transport/hosts/wait_states.hpp"
#include "transport/hosts/wake_ups.hpp"

namespace windrow::transport {

inline constexpr int messages_received_at_once = 8;

class inward {
 public:
  inward(network&, const host_memory&, const host_map&, peer_hosts&, outward&, wake_ups&, wait_states&);

  /// Reads the next message, if one is there. Answers should leave before the next one is looked for, which
  /// takes long if there is none.
  bool receive_message();

  /// A PE that another host has lost.
  struct loss {
    std::uint64_t heard_ns;
    std::string sentence;
  };
  const std::optional<loss>& first_loss() const { return first_loss_; }

 private:
  void read(const network::message&, int host);
  void obey(const record&, const std::byte* content, int host);
  bool access(const record&, const std::byte* content);
  void change_all(const record&, const std::byte* content) const;
  void take_state(const record&, int host);
  void note_end(int host);
  void note_loss(pe_t, int host);
  void deliver(const record&, const std::byte* content);
  void take_answer(const record&, const std::byte* content);
  void take_part(const record&, const std::byte* content);
  void ring_for_value(pe_t);
  void ring_here();
  void store(const record&, const std::byte* content) const;
  void load(std::byte* to, const record&) const;
  std::byte* place(const record& r) const {
    return segments_.first + static_cast<std::size_t>(r.to) * segments_.stride + r.offset;
  }

  network& net_;
  host_memory memory_;
  const host_map& map_;
  peer_hosts& others_;
  outward& outward_;
  wake_ups& wake_ups_;
  wait_states& waits_;
  segments segments_;
  bool has_parts_ = false; ///< in this message, of team slots
  std::optional<loss> first_loss_;
};

} // namespace windrow::transport
