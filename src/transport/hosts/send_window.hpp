// SPDX-License-Identifier: BSD-3-Clause
// Which blocks may leave for another host: as many as it has places for those of this one.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <vector>

#include "transport/hosts/host_map.hpp"
#include "windrow/types.hpp"

namespace windrow::transport {

/// Blocks wait here, in order for each PE, until a place is free at the host of that PE. Each PE has a place
/// of its own there as long as no block is on its way to it, so one that does not take its blocks keeps none
/// from the others of its host.
class send_window {
 public:
  /// `places`: that every host has for blocks of every other one; at least the PEs of a host.
  send_window(const host_map&, std::uint32_t places);

  struct placed_block {
    pe_t to;
    std::uint32_t block, place;
  };

  void add(pe_t to, std::uint32_t block);
  /// The next block that may leave for this host, if any.
  std::optional<placed_block> next(int host);
  /// The block that was sent to that place of the host has come back; returns it.
  std::uint32_t come_back(int host, std::uint32_t place);

 private:
  struct destination {
    std::list<std::uint32_t> waiting;
    std::uint32_t under_way = 0;
  };
  struct other {
    std::vector<std::uint32_t> free; ///< places
    std::vector<placed_block> sent;  ///< by place
    std::uint32_t without = 0;       ///< PEs there that no block is on its way to
    std::deque<pe_t> queue;          ///< PEs with waiting blocks, in turn
  };
  destination& at(pe_t pe) { return destinations_[static_cast<std::size_t>(pe)]; }
  other& there(int host) { return others_[static_cast<std::size_t>(host)]; }
  placed_block leave(other&, pe_t to);

  const host_map& map_;
  std::vector<destination> destinations_; ///< by PE
  std::vector<other> others_;             ///< by host
};

} // namespace windrow::transport
