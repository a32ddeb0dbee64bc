// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/send_window.hpp"

namespace windrow::transport {

send_window::send_window(const host_map& map, std::uint32_t places)
    : map_(map), destinations_(map.host_of.size()), others_(static_cast<std::size_t>(map.hosts)) {
  for (const int host : map_.host_of) ++there(host).without;
  for (auto& o : others_) {
    for (auto place = places; place-- > 0;) o.free.push_back(place);
    o.sent.resize(places);
  }
}

void send_window::add(pe_t to, std::uint32_t block) {
  auto& waiting = at(to).waiting;
  if (waiting.empty()) there(map_.of(to)).queue.push_back(to);
  waiting.push_back(block);
}

std::optional<send_window::placed_block> send_window::next(int host) {
  auto& o = there(host);
  for (auto left = o.queue.size(); left > 0; --left) {
    const pe_t to = o.queue.front();
    o.queue.pop_front();
    const auto& d = at(to);
    // Keeps a place for each PE that has none: `free` is never less than `without`.
    const bool may_leave = d.under_way == 0 || o.free.size() > o.without;
    if (!may_leave || d.waiting.size() > 1) o.queue.push_back(to);
    if (may_leave) return leave(o, to);
  }
  return {};
}

send_window::placed_block send_window::leave(other& o, pe_t to) {
  auto& d = at(to);
  const placed_block leaving{to, d.waiting.front(), o.free.back()};
  d.waiting.pop_front();
  o.free.pop_back();
  if (d.under_way++ == 0) --o.without;
  return o.sent[leaving.place] = leaving;
}

std::uint32_t send_window::come_back(int host, std::uint32_t place) {
  auto& o = there(host);
  const auto& arrived = o.sent[place];
  o.free.push_back(place);
  if (--at(arrived.to).under_way == 0) ++o.without;
  return arrived.block;
}

} // namespace windrow::transport
