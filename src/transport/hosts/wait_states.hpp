// SPDX-License-Identifier: BSD-3-Clause
// What PEs of this host and of others wait for, for reports of stalls.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "transport/host/host_memory.hpp"
#include "transport/hosts/host_map.hpp"
#include "transport/hosts/peer_hosts.hpp"

namespace windrow::transport {

class wait_states {
 public:
  /// All must outlive it.
  wait_states(const host_memory&, const host_map&, peer_hosts&);

  /// Tells the other hosts which long waits of PEs of this one have begun, changed or ended since the last
  /// time.
  void tell();
  /// Notes such waits where PEs of this host look for them.
  void hear(const record&, const std::byte* content);

 private:
  /// A wait_record at one moment; all zeros if nothing worth telling is waited for.
  struct state {
    struct detail {
      std::uint64_t what;
      std::uint32_t amount;
      std::int32_t most_at;
      bool operator==(const detail&) const = default;
    };
    std::uint64_t kind;
    std::int32_t target;
    std::uint32_t object;
    std::uint64_t since_ns; ///< on its way the time until then, since clocks of hosts differ
    std::uint64_t call, site;
    std::array<detail, std::tuple_size_v<decltype(wait_record::details)>> details;
    bool operator==(const state&) const = default;
  };
  static state look_at(const wait_record&, std::uint64_t now_ns);

  host_memory memory_;
  const host_map& map_;
  peer_hosts& others_;
  std::vector<state> told_; ///< by PE
};

} // namespace windrow::transport
