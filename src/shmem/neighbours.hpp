// SPDX-License-Identifier: BSD-3-Clause
// What a large collective brings from host to host crosses once for all members of a host: one of them gets
// it into its dest, from which the others take it.
#pragma once

#include <cstddef>
#include <vector>

#include "shmem/collectives.hpp"

namespace windrow::shmem {

/// The members of a team by their hosts.
class neighbours {
 public:
  /// For a collective in which a host gets `bytes` bytes.
  neighbours(const group&, std::size_t bytes);

  /// Whether to do so: it takes one meeting more. The same on all members.
  bool share() const { return !by_host_.empty(); }
  bool has(int member) const { return at(member).host == here_; }
  /// The member on this host that gets for all what `member`, on another, brings.
  int in_charge_of(int member) const { return in_charge_on(here_, member); }
  int in_charge_on(std::size_t host, int member) const {
    const auto& members = by_host_[host];
    return members[number(member) % members.size()];
  }
  const std::vector<int>& here() const { return by_host_[here_]; }
  /// Of a member among those of its host.
  std::size_t number(int member) const { return at(member).number; }
  /// Calls f(member) for those that get from `me` what it brings: all on this host, one on each other.
  template <class F>
  void for_direct_receivers(int me, F f) const {
    for (const int member : here()) f(member);
    for (std::size_t host = 0; host < by_host_.size(); ++host)
      if (host != here_ && !by_host_[host].empty()) f(in_charge_on(host, me));
  }

 private:
  struct place {
    std::size_t host, number;
  };
  const place& at(int member) const { return places_[static_cast<std::size_t>(member)]; }

  std::size_t here_ = 0;
  std::vector<place> places_;             ///< of the members
  std::vector<std::vector<int>> by_host_; ///< on some is none
};

} // namespace windrow::shmem
