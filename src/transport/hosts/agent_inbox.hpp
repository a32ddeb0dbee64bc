// SPDX-License-Identifier: BSD-3-Clause
// How PEs of a host hand something to its agent.
#pragma once

#include <cstdint>

#include "transport/host/host_memory.hpp"

namespace windrow::transport {

/// What lies in the agent's inbox: a block or a request, by its number in the memory of the host.
struct inbox_entry {
  static constexpr std::uint32_t request_mark = std::uint32_t{1} << 31;

  bool is_request;
  std::uint32_t number;

  /// Never 0.
  std::uint32_t word() const { return (number + 1) | (is_request ? request_mark : 0); }
  static inbox_entry of(std::uint32_t word) {
    return {(word & request_mark) != 0, (word & ~request_mark) - 1};
  }
  /// The word that links to the entry put there before.
  std::uint32_t& next(const host_memory& memory) const {
    return is_request ? memory.request_number(number).next : memory.block_number(number)->next;
  }
};

/// Puts it into the inbox, where it is found soon; for at once, `ring_agent`. Entries of one PE stay in their
/// order.
void post_to_agent(const host_memory&, inbox_entry);
/// Whether the thread of the agent sleeps.
bool agent_sleeps(const host_memory&);
/// Wakes it if it does.
void ring_agent(const host_memory&);

} // namespace windrow::transport
