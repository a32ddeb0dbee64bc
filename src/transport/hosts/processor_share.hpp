// SPDX-License-Identifier: BSD-3-Clause
// The processors that this host has for its PEs and its agent. Who waits may spin only as long as nobody else
// is kept from running by that: maybe it is the one that is waited for.
#pragma once

#include <vector>

#include "transport/host/host_memory.hpp"
#include "transport/hosts/host_map.hpp"

namespace windrow::transport {

class processor_share {
 public:
  /// `hosts_of_machine` have its processors in common, as containers do.
  processor_share(const host_memory&, const host_map&, int hosts_of_machine);

  /// Whether each PE that is awake can have a processor of its own, and the agent's thread too if it is
  /// awake; but for who does its work (`as_agent`), since it will sleep as soon as it sees that.
  bool is_enough(bool as_agent = false) const;
  /// Whether each PE of this host can have one at a time.
  bool has_one_for_each_pe() const { return static_cast<int>(here_.size()) <= processors_; }

 private:
  host_memory memory_;
  std::vector<pe_t> here_;
  int processors_;
};

} // namespace windrow::transport
