// SPDX-License-Identifier: BSD-3-Clause
// Portable tasks between hosts: who has none asks, is told when there are some, and takes half. Requests that
// stand until then are the lifelines of Saraswat et al., "Lifeline-based global load balancing" (PPoPP 2011).
// README.md has the protocol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pgas/core.hpp"
#include "tasks/portable.hpp"
#include "transport/hosts/host_map.hpp"

namespace windrow::tasks {

struct parcel;

/// What this PE asks of PEs of other hosts, and what they ask of its host. On the PE's own thread.
class requests {
 public:
  /// `host`: where the memory of this host has its words.
  requests(pgas::core&, portable_tasks&, portable_room& host);

  /// Does what was remembered, outside handlers; true if something was sent.
  bool announce_and_offer();
  /// By who has found nothing on this host: asks all that it may ask, and takes what it was offered; true if
  /// something was sent.
  bool ask();

  // In handlers.

  /// That PE wants to be told when there are some here.
  void stand(pe_t asker);
  /// It has nothing to do and wants some now, or else to be told.
  void hand_over(pe_t asker);
  /// That PE has some.
  void accept(pe_t offerer);
  /// Some of those that it has sent. True if they are all here now: then they are in `all`.
  bool receive(const parcel&, pe_t sender, stolen_tasks& all);

 private:
  bool offer();
  void send(pe_t to, const stolen_tasks&);
  int other_host(int distance) const;
  std::size_t number_of_host_of(pe_t) const;

  pgas::core& core_;
  portable_tasks& tasks_;
  portable_room& host_;
  const transport::host_map& map_;
  std::vector<pe_t> at_;             ///< one PE of each host that this one may ask
  std::vector<stolen_tasks> coming_; ///< from these hosts
  std::uint32_t may_ask_;            ///< a bit for each
  std::uint32_t may_take_ = 0;       ///< the same: they have offered some
  std::vector<pe_t> askers_;         ///< whose requests may stand here
  std::size_t next_ = 0;             ///< of these to be told
};

} // namespace windrow::tasks
