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

  /// Whether each PE, and the agent's thread, that is awake can have a processor of its own.
  bool is_enough() const;

 private:
  host_memory memory_;
  std::vector<pe_t> here_;
  int processors_;
};

} // namespace windrow::transport
