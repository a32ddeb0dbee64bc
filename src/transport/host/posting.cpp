// SPDX-License-Identifier: BSD-3-Clause
#include "transport/host/posting.hpp"

#include "base/other_processes.hpp"

namespace windrow::transport {

// Treiber stack: only its owner takes from it, and takes everything, so there is no ABA problem; and a sender
// that is preempted half-way hides nobody else's blocks, as it would in a linked queue.
void post(const host_memory& memory, pe_t to, block* b) {
  auto& inbox = memory.control(to).inbox;
  const auto entry = memory.number_of(b) + 1;
  auto newest = inbox.load(std::memory_order_relaxed);
  do {
    b->next = newest;
    base::releases(b);
  } while (!inbox.compare_exchange_weak(newest, entry, std::memory_order_seq_cst, std::memory_order_relaxed));
}

bool ring(const host_memory& memory, pe_t pe) {
  return memory.control(pe).bell.ring();
}

} // namespace windrow::transport
