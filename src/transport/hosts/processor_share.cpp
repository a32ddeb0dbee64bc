// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/processor_share.hpp"

#include "transport/hosts/agent_inbox.hpp"

namespace windrow::transport {

processor_share::processor_share(const host_memory& memory, const host_map& map, int hosts_of_machine)
    : memory_(memory), processors_(memory.processors() / hosts_of_machine) {
  for (pe_t pe = 0; pe < static_cast<pe_t>(memory.shape().pes); ++pe)
    if (map.is_here(pe)) here_.push_back(pe);
}

bool processor_share::is_enough(bool as_agent) const {
  int awake = (as_agent && has_one_for_each_pe()) || agent_sleeps(memory_) ? 0 : 1;
  for (const auto pe : here_) awake += memory_.control(pe).bell.has_sleepers() ? 0 : 1;
  return awake <= processors_;
}

} // namespace windrow::transport
