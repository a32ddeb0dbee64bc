// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/other_hosts.hpp"

#include <algorithm>
#include <cstring>

#include "os/cpu.hpp"
#include "os/futex.hpp"
#include "transport/hosts/agent_inbox.hpp"

namespace windrow::transport {

namespace {

using namespace std::chrono_literals;

std::uint32_t as_word(request_phase phase) {
  return static_cast<std::uint32_t>(phase);
}

} // namespace

pe_t host_map::leader(int host) const {
  return static_cast<pe_t>(std::find(host_of.begin(), host_of.end(), host) - host_of.begin());
}

// A stack that only the agent takes from, and takes whole: see host/README.md.
void post_to_agent(const host_memory& memory, inbox_entry entry) {
  auto& inbox = memory.job().agent_inbox;
  auto newest = inbox.load(std::memory_order_relaxed);
  do {
    entry.next(memory) = newest;
  } while (!inbox.compare_exchange_weak(newest, entry.word(), std::memory_order_seq_cst,
                                        std::memory_order_relaxed));
  ring_agent(memory);
}

void ring_agent(const host_memory& memory) {
  auto& job = memory.job();
  if (job.agent_sleeps.load(std::memory_order_seq_cst) == 0) return;
  job.agent_bell.fetch_add(1, std::memory_order_seq_cst);
  os::futex_wake(job.agent_bell);
}

other_hosts::other_hosts(const host_memory& memory, pe_t pe, const host_map& map)
    : memory_(memory), pe_(pe), map_(map) {}

request* other_hosts::try_fill(request_kind kind, pe_t to) {
  for (std::uint32_t i = 0; i < requests_per_pe; ++i) {
    auto& r = memory_.request_number(static_cast<std::uint32_t>(pe_) * requests_per_pe + i);
    auto free = as_word(request_phase::free);
    if (!r.phase.compare_exchange_strong(free, as_word(request_phase::filling), std::memory_order_acquire))
      continue;
    r.kind = kind;
    r.from = pe_;
    r.to = to;
    return &r;
  }
  return nullptr;
}

// Whoever holds requests waits for nothing but their answers, so one becomes free.
request& other_hosts::fill(request_kind kind, pe_t to) {
  for (;; os::yield())
    if (auto* r = try_fill(kind, to)) return *r;
}

std::uint32_t other_hosts::number_of(const request& r) const {
  return static_cast<std::uint32_t>(&r - &memory_.request_number(0));
}

void other_hosts::send(request& r) {
  r.phase.store(as_word(request_phase::sent), std::memory_order_relaxed); // published by the inbox
  post_to_agent(memory_, {true, number_of(r)});
}

// Serves no inbox: direct operations may be made by handlers. Never yields: launchers put each PE into a
// session of its own, between which that costs whole time slices on a busy machine.
void other_hosts::await(const request& r) const {
  const int pauses = memory_.processors() > 2 ? 1000 : 50;
  for (int i = 0; r.phase.load(std::memory_order_acquire) != as_word(request_phase::answered); ++i) {
    if (i < pauses)
      os::pause();
    else
      os::futex_wait(r.phase, as_word(request_phase::sent), 100ms);
  }
}

// Several pieces are under way at a time. Who gets no request finishes one of its own, so that threads of a
// PE that all have some cannot wait for each other.
template <class Begin, class End>
void other_hosts::in_pieces(request_kind kind, pe_t pe, std::uint64_t offset, std::size_t bytes, Begin begin,
                            End end) {
  struct piece {
    request* asked;
    std::size_t at;
  };
  piece under_way[requests_per_pe];
  std::size_t begun = 0, ended = 0;
  const auto finish = [&](const piece& p) {
    await(*p.asked);
    end(*p.asked, p.at);
    release(*p.asked);
  };
  for (std::size_t at = 0; at < bytes;) {
    auto* r = try_fill(kind, pe);
    if (r == nullptr) {
      if (begun > ended)
        finish(under_way[ended++ % requests_per_pe]);
      else
        os::yield();
      continue;
    }
    r->offset = offset + at;
    r->bytes = static_cast<std::uint32_t>(std::min(bytes - at, request_bytes));
    begin(*r, at);
    under_way[begun++ % requests_per_pe] = {r, at};
    at += r->bytes;
    send(*r);
  }
  for (; begun > ended; ++ended) finish(under_way[ended % requests_per_pe]);
}

void other_hosts::put(pe_t to, std::uint64_t offset, const void* from, std::size_t bytes) {
  const auto* source = static_cast<const std::byte*>(from);
  in_pieces(
      request_kind::put, to, offset, bytes,
      [source](request& r, std::size_t at) { std::memcpy(r.data, source + at, r.bytes); },
      [](const request&, std::size_t) {});
}

void other_hosts::get(pe_t of, std::uint64_t offset, void* to, std::size_t bytes) {
  auto* target = static_cast<std::byte*>(to);
  in_pieces(
      request_kind::get, of, offset, bytes, [](const request&, std::size_t) {},
      [target](const request& r, std::size_t at) { std::memcpy(target + at, r.data, r.bytes); });
}

void other_hosts::release(request& r) const {
  r.phase.store(as_word(request_phase::free), std::memory_order_release);
}

std::uint64_t other_hosts::change(pe_t of, std::uint64_t offset, const detail::atomic_change& what) {
  auto& r = fill(request_kind::change, of);
  r.offset = offset;
  r.verb = static_cast<std::uint32_t>(what.verb);
  r.type = static_cast<std::uint32_t>(what.type);
  r.operand = what.operand;
  r.expected = what.expected;
  send(r);
  await(r);
  const auto before = r.operand;
  release(r);
  return before;
}

void other_hosts::show(const step& s) {
  auto& r = fill(request_kind::show, s.first);
  r.team = s.team;
  r.stride = s.stride;
  r.size = s.size;
  r.step = s.arrived;
  r.bytes = s.bounced;
  r.turn = s.turn;
  send(r);
}

void other_hosts::leave_team(std::uint32_t team, pe_t first, pe_t size) {
  auto& r = fill(request_kind::leave, first);
  r.team = team;
  r.size = size;
  send(r);
}

void other_hosts::reset(std::uint32_t team) {
  auto& r = fill(request_kind::reset, pe_);
  r.team = team;
  send(r);
}

void other_hosts::ring(pe_t pe) {
  send(fill(request_kind::ring, pe));
}
void other_hosts::tell_state() {
  send(fill(request_kind::state, pe_));
}
void other_hosts::tell_over() {
  send(fill(request_kind::over, pe_));
}

void other_hosts::hand_over(block* b) {
  post_to_agent(memory_, {false, memory_.number_of(b)});
}

} // namespace windrow::transport
