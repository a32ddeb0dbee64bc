// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/correspondence.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "os/cpu.hpp"

namespace windrow::transport {

correspondence::correspondence(network& net, const host_map& map, std::vector<std::string> names)
    : map_(map), names_(std::move(names)) {
  for (int host = 0; host < map_.hosts; ++host)
    hosts_.push_back({outgoing_mail(net, map_.leader(host)), os::now_ns()});
}

void correspondence::tell_all(const record& r, const void* content) {
  for (int host = 0; host < map_.hosts; ++host) {
    if (host == map_.here) continue;
    auto* const to = at(host).mail.append(r);
    if (r.bytes != 0) std::memcpy(to, content, r.bytes);
  }
}

bool correspondence::send(bool all) {
  bool any = false;
  for (int host = 0; host < map_.hosts; ++host)
    if (host != map_.here) any |= at(host).mail.send(all);
  return any;
}

template <class Condition>
bool correspondence::all_others(Condition condition) const {
  for (int host = 0; host < map_.hosts; ++host)
    if (host != map_.here && !condition(hosts_[static_cast<std::size_t>(host)])) return false;
  return true;
}

bool correspondence::is_empty() const {
  return all_others([](const other_host& o) { return o.mail.is_empty(); });
}

bool correspondence::is_sending() const {
  return !all_others([](const other_host& o) { return !o.mail.is_sending(); });
}

bool correspondence::all_said_bye() const {
  return all_others([](const other_host& o) { return o.said_bye; });
}

std::optional<correspondence::silence> correspondence::longest_silence(std::uint64_t now_ns) const {
  std::optional<silence> longest;
  for (int host = 0; host < map_.hosts; ++host) {
    const auto& other = hosts_[static_cast<std::size_t>(host)];
    if (host == map_.here || other.said_bye) continue;
    const auto ns = now_ns - std::min(other.heard_ns, now_ns);
    if (!longest || ns > longest->ns) longest = silence{host, ns};
  }
  return longest;
}

void correspondence::was_deaf(std::uint64_t ns) {
  for (auto& other : hosts_) other.heard_ns += ns;
}

} // namespace windrow::transport
