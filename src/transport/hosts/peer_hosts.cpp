// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/peer_hosts.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "os/cpu.hpp"

namespace windrow::transport {

peer_hosts::peer_hosts(network& net, const host_map& map, std::vector<std::string> names)
    : map_(map), names_(std::move(names)) {
  for (int host = 0; host < map_.hosts; ++host)
    hosts_.push_back({outgoing_messages(net, map_.leader(host)), os::now_ns()});
}

void peer_hosts::tell_all(const record& r, const void* content) {
  for (int host = 0; host < map_.hosts; ++host) {
    if (host == map_.here) continue;
    auto* const to = at(host).outgoing.append(r);
    if (r.bytes != 0) std::memcpy(to, content, r.bytes);
  }
}

bool peer_hosts::send(bool all) {
  bool any = false;
  for (int host = 0; host < map_.hosts; ++host)
    if (host != map_.here) any |= at(host).outgoing.send(all);
  return any;
}

template <class Condition>
bool peer_hosts::all_others(Condition condition) const {
  for (int host = 0; host < map_.hosts; ++host)
    if (host != map_.here && !condition(hosts_[static_cast<std::size_t>(host)])) return false;
  return true;
}

bool peer_hosts::is_empty() const {
  return all_others([](const other_host& o) { return o.outgoing.is_empty(); });
}

bool peer_hosts::is_sending() const {
  return !all_others([](const other_host& o) { return !o.outgoing.is_sending(); });
}

bool peer_hosts::all_said_bye() const {
  return all_others([](const other_host& o) { return o.said_bye; });
}

std::optional<peer_hosts::silence> peer_hosts::longest_silence(std::uint64_t now_ns) const {
  std::optional<silence> longest;
  for (int host = 0; host < map_.hosts; ++host) {
    const auto& other = hosts_[static_cast<std::size_t>(host)];
    if (host == map_.here || other.said_bye) continue;
    const auto ns = now_ns - std::min(other.heard_ns, now_ns);
    if (!longest || ns > longest->ns) longest = silence{host, ns};
  }
  return longest;
}

void peer_hosts::was_deaf(std::uint64_t ns) {
  for (auto& other : hosts_) other.heard_ns += ns;
}

} // namespace windrow::transport
