// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/other_hosts.hpp"

#include <algorithm>
#include <cstring>

#include "transport/hosts/agent_inbox.hpp"

namespace windrow::transport {

other_hosts::other_hosts(const host_memory& memory, pe_t pe, const host_map& map,
                         const processor_share& processors)
    : memory_(memory), map_(map), pe_(pe), slots_(memory, pe, processors) {}

request& other_hosts::fill(request_kind kind, pe_t to, std::uint64_t offset, std::size_t bytes) {
  auto& r = slots_.take(bytes);
  r.kind = kind;
  r.from = pe_;
  r.to = to;
  r.offset = offset;
  r.bytes = static_cast<std::uint32_t>(bytes);
  r.step = 0;
  return r;
}

request& other_hosts::fill(pe_t to, std::uint64_t offset, const detail::atomic_change& what) {
  auto& r = fill(request_kind::change, to, offset, 0);
  r.verb = static_cast<std::uint32_t>(what.what);
  r.type = what.carrier;
  r.operand = what.operand;
  r.expected = what.expected;
  return r;
}

void other_hosts::put_later(pe_t to, std::uint64_t offset, const void* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += request_bytes) {
    auto& r = fill(request_kind::put, to, offset + at, std::min(bytes - at, request_bytes));
    std::memcpy(slots_.data(r), static_cast<const std::byte*>(from) + at, r.bytes);
    slots_.ask_later(r, nullptr, 0);
  }
}

void other_hosts::get_later(pe_t of, std::uint64_t offset, void* to, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += request_bytes) {
    auto& r = fill(request_kind::get, of, offset + at, std::min(bytes - at, request_bytes));
    slots_.ask_later(r, static_cast<std::byte*>(to) + at, r.bytes);
  }
}

// As many blocks as a request has room for; larger ones for themselves. `transfer` gets the first block of
// each part, and how many there are.
template <class Transfer>
void other_hosts::for_parts(const detail::strides& s, Transfer transfer) {
  if (s.block == 0) return;
  const auto most = std::max(request_bytes / s.block, std::size_t{1});
  for (std::size_t first = 0; first < s.blocks; first += most)
    transfer(first, std::min(s.blocks - first, most));
}

void other_hosts::put_strided_later(pe_t to, std::uint64_t offset, const void* from,
                                    const detail::strides& s) {
  const auto block = static_cast<std::ptrdiff_t>(s.block);
  for_parts(s, [&](std::size_t first, std::size_t blocks) {
    const auto index = static_cast<std::ptrdiff_t>(first);
    const auto there = offset + static_cast<std::uint64_t>(index * s.to);
    const auto* const source = static_cast<const std::byte*>(from) + index * s.from;
    if (blocks == 1) return put_later(to, there, source, s.block);
    auto& r = fill(request_kind::put, to, there, blocks * s.block);
    r.step = static_cast<std::uint32_t>(s.block);
    r.stride_there = s.to;
    detail::copy_strided(slots_.data(r), source, {block, s.from, s.block, blocks});
    slots_.ask_later(r, nullptr, 0);
  });
}

void other_hosts::get_strided_later(pe_t of, std::uint64_t offset, void* to, const detail::strides& s) {
  for_parts(s, [&](std::size_t first, std::size_t blocks) {
    const auto index = static_cast<std::ptrdiff_t>(first);
    const auto there = offset + static_cast<std::uint64_t>(index * s.from);
    auto* const dest = static_cast<std::byte*>(to) + index * s.to;
    if (blocks == 1) return get_later(of, there, dest, s.block);
    auto& r = fill(request_kind::get, of, there, blocks * s.block);
    r.step = static_cast<std::uint32_t>(s.block);
    r.stride_there = s.from;
    r.stride_here = s.to;
    slots_.ask_later(r, dest, r.bytes);
  });
}

void other_hosts::change_later(pe_t of, std::uint64_t offset, const detail::atomic_change& what, void* before,
                               std::size_t bytes) {
  slots_.ask_later(fill(of, offset, what), before, bytes);
}

void other_hosts::change_many_later(pe_t of, std::span<const detail::placed_change> changes) {
  constexpr auto most = request_bytes / sizeof(detail::placed_change);
  while (!changes.empty()) {
    const auto some = changes.first(std::min(changes.size(), most));
    auto& r = fill(request_kind::changes, of, 0, some.size_bytes());
    std::memcpy(slots_.data(r), some.data(), r.bytes);
    slots_.ask_later(r, nullptr, 0);
    changes = changes.subspan(some.size());
  }
}

void other_hosts::put(pe_t to, std::uint64_t offset, const void* from, std::size_t bytes) {
  if (bytes > request_bytes) {
    put_later(to, offset, from, bytes);
    return complete();
  }
  auto& r = fill(request_kind::put, to, offset, bytes);
  std::memcpy(slots_.data(r), from, bytes);
  slots_.ask(r);
  slots_.release(r);
}

void other_hosts::get(pe_t of, std::uint64_t offset, void* to, std::size_t bytes) {
  if (bytes > request_bytes) {
    get_later(of, offset, to, bytes);
    return complete();
  }
  auto& r = fill(request_kind::get, of, offset, bytes);
  slots_.ask(r);
  std::memcpy(to, slots_.data(r), bytes);
  slots_.release(r);
}

std::uint64_t other_hosts::change(pe_t of, std::uint64_t offset, const detail::atomic_change& what) {
  auto& r = fill(of, offset, what);
  slots_.ask(r);
  const auto before = r.operand;
  slots_.release(r);
  return before;
}

void other_hosts::show(const step& s) {
  auto& r = fill(request_kind::show, s.first, 0, 0);
  r.team = s.team;
  r.stride = s.stride;
  r.size = s.size;
  r.step = s.arrived;
  r.bytes = s.bounced;
  r.turn = s.turn;
  slots_.tell(r);
}

void other_hosts::leave_team(std::uint32_t team, pe_t first, pe_t size) {
  auto& r = fill(request_kind::leave, first, 0, 0);
  r.team = team;
  r.size = size;
  slots_.tell(r);
}

void other_hosts::reset(std::uint32_t team) {
  auto& r = fill(request_kind::reset, pe_, 0, 0);
  r.team = team;
  slots_.tell(r);
}

void other_hosts::ring(pe_t pe) {
  slots_.tell(fill(request_kind::ring, pe, 0, 0));
}
void other_hosts::tell_state() {
  slots_.tell(fill(request_kind::state, pe_, 0, 0));
}
void other_hosts::tell_over() {
  slots_.tell(fill(request_kind::over, pe_, 0, 0));
}

void other_hosts::hand_over(block* b) {
  post_to_agent(memory_, {false, memory_.number_of(b)});
  slots_.see_to_block();
}

} // namespace windrow::transport
