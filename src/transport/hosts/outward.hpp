// SPDX-License-Identifier: BSD-3-Clause
// What the PEs of this host have for others: the agent turns their blocks and requests into records.
#pragma once

#include <cstdint>
#include <vector>

#include "transport/host/host_memory.hpp"
#include "transport/hosts/correspondence.hpp"
#include "transport/hosts/departures.hpp"

namespace windrow::transport {

class outward {
 public:
  outward(const host_memory&, const host_map&, correspondence&);

  /// Empties the inbox of the agent. True if anything was there.
  bool take_entries();
  /// A block of this host is back (record `home`): puts it into the inbox of its PE, and lets others leave.
  /// Returns whether its PE had to be woken.
  bool come_home(const record&, const std::byte* content, int host);

 private:
  void forward(const block&, std::uint32_t number);
  void forward(request&, std::uint32_t number);
  bool forward_access(const request&, record&);
  void forward_news(const request&, record&);
  void forward_part(const request&, record&);
  void send_departures(int host);

  host_memory memory_;
  const host_map& map_;
  correspondence& others_;
  departures departures_;
  std::uint32_t first_place_; ///< number of the block that is the first place, at every other host
  std::vector<std::uint32_t> first_place_of_; ///< by host: the same for its blocks, here
  std::vector<std::uint32_t> entries_;
};

} // namespace windrow::transport
