// SPDX-License-Identifier: BSD-3-Clause
// The network between simulated PEs: when what is sent arrives.
#pragma once

#include <cstddef>
#include <cstdint>

#include "transport/host/host_memory.hpp"
#include "transport/sim/model.hpp"

namespace windrow::transport {

/// Messages through ports, by LogGP. A PE has a port for the other PEs of its host; what goes to other hosts
/// goes through the port of the host, and into that of the other one, one message after the other. The ports
/// are in memory that all PEs share. To be called in the order of the moments of sending.
class fabric {
 public:
  fabric(const host_memory& memory, const model& m) : memory_(memory), model_(m) {}

  /// Of a message of `bytes`, its header included, that `from` has handed to its port at `ready_ps`: when it
  /// arrives at the port of `to`, which is on another host, or with `to`, another PE of its own host.
  std::uint64_t arrival_ps(pe_t from, pe_t to, std::size_t bytes, std::uint64_t ready_ps);
  /// A message from another host that arrives at the port of `to` at `arrival_ps`: when its last byte is with
  /// `to`. The processor of `to` has not touched it then.
  std::uint64_t receive_ps(pe_t to, std::size_t bytes, std::uint64_t arrival_ps);
  /// What `receive_ps` would return, without the message having been there.
  std::uint64_t expected_ps(pe_t to, std::size_t bytes, std::uint64_t arrival_ps) const;

  /// Nothing that is sent is noticed before this time has passed.
  std::uint64_t lookahead_ps() const;

  /// How long after the last one has come the members of a team of `members` PEs know it, each of which
  /// receives `bytes` bytes: a dissemination barrier (Hensgen, Finkel, Manber, 1988) in each host and then
  /// between the hosts.
  std::uint64_t collective_ps(pe_t members, std::size_t bytes) const;
  /// Messages that each member sends for that.
  struct rounds {
    std::uint64_t near, far;
  };
  rounds rounds_of(pe_t members) const;

  const model& parameters() const { return model_; }

 private:
  host_memory memory_;
  model model_;
};

} // namespace windrow::transport
