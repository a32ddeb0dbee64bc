// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/team_exit.hpp"

namespace windrow::transport {

void count_out(const host_memory& memory, peer_hosts& others, const record& r) {
  auto& slot = memory.slot(r.to, r.number);
  if (slot.released.fetch_add(1, std::memory_order_acq_rel) + 1 < r.step) return;
  slot.released.store(0, std::memory_order_relaxed);
  auto current = to_pe(record_kind::generation, r.to, r.to);
  current.number = r.number;
  current.step = slot.generation.load(std::memory_order_relaxed) + 1;
  others.tell_all(current);
  slot.generation.store(current.step, std::memory_order_release);
}

} // namespace windrow::transport
