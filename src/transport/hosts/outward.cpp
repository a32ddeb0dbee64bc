// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/outward.hpp"

#include <algorithm>
#include <cstring>

#include "transport/host/posting.hpp"
#include "transport/hosts/agent_inbox.hpp"
#include "transport/hosts/team_exit.hpp"

namespace windrow::transport {

// Blocks of another host have their places in the pool of its first PE, which nobody uses here otherwise.
outward::outward(const host_memory& memory, const host_map& map, peer_hosts& others, wake_ups& woken)
    : memory_(memory),
      map_(map),
      others_(others),
      wake_ups_(woken),
      window_(map, memory.shape().blocks_per_pe),
      shown_(std::size_t{memory.shape().pes} * max_teams * 2) {
  for (int host = 0; host < map.hosts; ++host)
    first_place_of_.push_back(static_cast<std::uint32_t>(map.leader(host)) * memory.shape().blocks_per_pe);
  first_place_ = first_place_of_[static_cast<std::size_t>(map.here)];
}

bool outward::take_entries() {
  auto& inbox = memory_.job().agent_inbox;
  if (inbox.load(std::memory_order_relaxed) == 0) return false;
  entries_.clear();
  for (auto word = inbox.exchange(0, std::memory_order_acquire); word != 0;) {
    entries_.push_back(word);
    word = inbox_entry::of(word).next(memory_);
  }
  std::for_each(entries_.rbegin(), entries_.rend(), [this](std::uint32_t word) { // the oldest first
    const auto entry = inbox_entry::of(word);
    if (entry.is_request)
      forward(memory_.request_number(entry.number), entry.number);
    else
      forward(*memory_.block_number(entry.number), entry.number);
  });
  return true;
}

void outward::forward(const block& b, std::uint32_t number) {
  if (b.home == 0) {
    window_.add(b.target, number);
    return send_admitted(map_.of(b.target));
  }
  auto r = to_pe(record_kind::home, b.target, b.source);
  r.number = number - first_place_of_[static_cast<std::size_t>(map_.of(b.source))];
  r.bytes = b.brings_answers != 0 ? b.used : 0;
  std::memcpy(others_.append(b.source, r), b.payload(), r.bytes);
}

void outward::send_admitted(int host) {
  while (const auto leaving = window_.next(host)) {
    const auto& b = *memory_.block_number(leaving->block);
    auto r = to_pe(record_kind::block, b.source, b.target);
    r.number = first_place_ + leaving->place;
    r.flags = static_cast<std::uint8_t>(b.brings_answers);
    r.bytes = b.used;
    std::memcpy(others_.append(b.target, r), b.payload(), r.bytes);
  }
}

void outward::come_home(const record& r, const std::byte* content, int host) {
  auto& b = *memory_.block_number(window_.come_back(host, r.number));
  std::memcpy(b.payload(), content, r.bytes);
  b.home = 1;
  post(memory_, b.source, &b);
  wake_ups_.ring(b.source);
  send_admitted(host);
}

void outward::forward(request& asked, std::uint32_t number) {
  auto r = to_pe(record_kind::put, asked.from, asked.to);
  r.number = number;
  if (forward_access(asked, r)) return; // it is answered later
  forward_state(asked, r);
  wake_ups_.settle(asked, request_phase::free);
}

namespace {

void note_blocks(const request& asked, record& r) {
  r.step = asked.step;
  if (r.step != 0) r.expected = static_cast<std::uint64_t>(asked.stride_there);
}

} // namespace

// Whether it is one of the operations on memory.
bool outward::forward_access(const request& asked, record& r) {
  r.offset = asked.offset;
  switch (asked.kind) {
    case request_kind::put:
      note_blocks(asked, r);
      r.bytes = asked.bytes;
      std::memcpy(others_.append(r.to, r), memory_.request_data(r.number, r.bytes), r.bytes);
      return true;
    case request_kind::get:
      r.kind = record_kind::get;
      note_blocks(asked, r);
      r.operand = asked.bytes;
      others_.append(r.to, r);
      return true;
    case request_kind::change:
      r.kind = record_kind::change;
      r.verb = static_cast<std::uint8_t>(asked.verb);
      r.type = static_cast<std::uint8_t>(asked.type);
      r.operand = asked.operand;
      r.expected = asked.expected;
      others_.append(r.to, r);
      return true;
    case request_kind::changes:
      r.kind = record_kind::changes;
      r.bytes = asked.bytes;
      std::memcpy(others_.append(r.to, r), memory_.request_data(r.number, r.bytes), r.bytes);
      return true;
    default:
      return false;
  }
}

void outward::forward_state(const request& asked, record& r) {
  r.number = asked.team;
  switch (asked.kind) {
    case request_kind::show:
      return forward_parts(asked);
    case request_kind::leave:
      r.kind = record_kind::leave;
      r.step = static_cast<std::uint32_t>(asked.size);
      if (map_.is_here(r.to)) return count_out(memory_, others_, r);
      others_.append(r.to, r);
      return;
    case request_kind::reset:
      for (const std::uint32_t step : {0, 1}) shown(asked.from, asked.team, step) = {};
      r.kind = record_kind::reset;
      return others_.tell_all(r);
    case request_kind::ring:
      r.kind = record_kind::ring;
      others_.append(r.to, r);
      return;
    case request_kind::state:
      r.kind = record_kind::state;
      r.flags = static_cast<std::uint8_t>(memory_.control(asked.from).state.load());
      return others_.tell_all(r);
    case request_kind::over:
      r.kind = record_kind::over;
      return others_.tell_all(r);
    default:
      return;
  }
}

template <class Action>
void outward::for_members_here(const request& team, Action action) const {
  for (pe_t member = 0, pe = team.to; member < team.size; ++member, pe += team.stride)
    if (map_.is_here(pe)) action(pe);
}

// Those of all members here together, once the last of them has come: nobody can go on before that anyway.
// What is shown stays as it is until all other members have seen it (pgas/README.md).
void outward::forward_parts(const request& asked) {
  shown(asked.from, asked.team, asked.step) = {asked.step, asked.bytes, asked.turn};
  if (!all_here_have_shown(asked)) return;
  std::vector<bool> told(static_cast<std::size_t>(map_.hosts));
  told[static_cast<std::size_t>(map_.here)] = true;
  for (pe_t member = 0, pe = asked.to; member < asked.size; ++member, pe += asked.stride) {
    const auto host = static_cast<std::size_t>(map_.of(pe));
    if (told[host]) continue;
    told[host] = true;
    for_members_here(asked, [&](pe_t from) { append_part(pe, from, asked); });
  }
}

bool outward::all_here_have_shown(const request& team) {
  bool all = true;
  for_members_here(team, [&](pe_t pe) { all &= shown(pe, team.team, team.step).step == team.step; });
  return all;
}

void outward::append_part(pe_t to, pe_t from, const request& team) {
  const auto& which = shown(from, team.team, team.step);
  const auto& part = memory_.slot(from, team.team).parts[(team.step - 1) % 2];
  auto r = to_pe(record_kind::part, from, to);
  r.number = team.team;
  r.step = team.step;
  r.flags = static_cast<std::uint8_t>(which.turn);
  r.bytes = static_cast<std::uint32_t>(sizeof part) + which.bounced;
  auto* const content = others_.append(to, r);
  std::memcpy(content, &part, sizeof part);
  std::memcpy(content + sizeof part, memory_.bounce(from, static_cast<int>(which.turn)), which.bounced);
}

} // namespace windrow::transport
