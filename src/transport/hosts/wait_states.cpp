// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/wait_states.hpp"

#include <algorithm>
#include <cstring>

#include "os/cpu.hpp"

namespace windrow::transport {

namespace {
constexpr std::uint64_t long_ns = 200'000'000;
} // namespace

wait_states::wait_states(const host_memory& memory, const host_map& map, peer_hosts& others)
    : memory_(memory), map_(map), others_(others), told_(memory.shape().pes) {}

wait_states::state wait_states::look_at(const wait_record& wait, std::uint64_t now_ns) {
  state seen{.kind = wait.kind.load(std::memory_order_acquire),
             .target = wait.target.load(std::memory_order_relaxed),
             .object = wait.object.load(std::memory_order_relaxed),
             .since_ns = wait.since_ns.load(std::memory_order_relaxed),
             .call = wait.call.load(std::memory_order_relaxed),
             .site = wait.site.load(std::memory_order_relaxed),
             .details = {}};
  std::ranges::transform(wait.details, seen.details.begin(), [](const wait_detail& d) -> state::detail {
    return {d.what.load(std::memory_order_relaxed), d.amount.load(std::memory_order_relaxed),
            d.most_at.load(std::memory_order_relaxed)};
  });
  const bool is_long = seen.kind != 0 && now_ns > seen.since_ns + long_ns;
  return is_long ? seen : state{};
}

void wait_states::tell() {
  const auto now_ns = os::now_ns();
  for (pe_t pe = 0; pe < static_cast<pe_t>(told_.size()); ++pe) {
    if (!map_.is_here(pe)) continue;
    auto& told = told_[static_cast<std::size_t>(pe)];
    auto current = look_at(memory_.control(pe).waiting, now_ns);
    if (current == told) continue;
    told = current;
    current.since_ns = now_ns - std::min(now_ns, current.since_ns);
    auto r = to_pe(record_kind::waits, pe, 0);
    r.bytes = sizeof current;
    others_.tell_all(r, &current);
  }
}

void wait_states::hear(const record& r, const std::byte* content) {
  state current;
  std::memcpy(&current, content, sizeof current);
  auto& wait = memory_.control(r.from).waiting;
  wait.target.store(current.target, std::memory_order_relaxed);
  wait.object.store(current.object, std::memory_order_relaxed);
  for (std::size_t i = 0; i < current.details.size(); ++i) {
    wait.details[i].amount.store(current.details[i].amount, std::memory_order_relaxed);
    wait.details[i].most_at.store(current.details[i].most_at, std::memory_order_relaxed);
    wait.details[i].what.store(current.details[i].what, std::memory_order_relaxed);
  }
  wait.since_ns.store(os::now_ns() - current.since_ns, std::memory_order_relaxed);
  wait.call.store(current.call, std::memory_order_relaxed);
  wait.site.store(current.site, std::memory_order_relaxed);
  wait.kind.store(current.kind, std::memory_order_release);
}

} // namespace windrow::transport
