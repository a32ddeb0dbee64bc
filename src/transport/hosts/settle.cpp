// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/settle.hpp"

#include "os/futex.hpp"

namespace windrow::transport {

bool settle(const host_memory& memory, request& r, request_phase phase) {
  auto& sleepers = memory.control(r.from).sleepers; // the request may be somebody else's at once
  const auto before = r.phase.exchange(static_cast<std::uint32_t>(phase), std::memory_order_acq_rel);
  if ((before & request_awaited) == 0) return false;
  sleepers.fetch_sub(1, std::memory_order_seq_cst);
  os::futex_wake(r.phase);
  return true;
}

} // namespace windrow::transport
