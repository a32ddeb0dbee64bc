// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/neighbours.hpp"

#include <algorithm>

#include "transport/hosts/host_map.hpp"
#include "transport/hosts/other_hosts.hpp"

namespace windrow::shmem {

neighbours::neighbours(const group& g, std::size_t bytes) {
  constexpr std::size_t worth_a_meeting = 32 * 1024;
  const auto* const others = hot.core->remote_hosts();
  if (others == nullptr || bytes < worth_a_meeting) return;
  const auto& map = others->map();
  here_ = static_cast<std::size_t>(map.here);
  by_host_.resize(static_cast<std::size_t>(map.hosts));
  for (int member = 0; member < g.size(); ++member) {
    const auto host = static_cast<std::size_t>(map.of(job_pe(g.team(), member)));
    places_.push_back({host, by_host_[host].size()});
    by_host_[host].push_back(member);
  }
  const auto several = [](const auto& members) { return members.size() > 1; };
  const bool on_one_host = by_host_[at(0).host].size() == places_.size();
  if (on_one_host || std::ranges::none_of(by_host_, several)) by_host_.clear();
}

} // namespace windrow::shmem
