// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/agent_inbox.hpp"

#include "os/futex.hpp"

namespace windrow::transport {

// A stack that only the agent takes from, and takes whole: see host/README.md.
void post_to_agent(const host_memory& memory, inbox_entry entry) {
  auto& inbox = memory.job().agent_inbox;
  auto newest = inbox.load(std::memory_order_relaxed);
  do {
    entry.next(memory) = newest;
  } while (!inbox.compare_exchange_weak(newest, entry.word(), std::memory_order_seq_cst,
                                        std::memory_order_relaxed));
}

bool agent_sleeps(const host_memory& memory) {
  return memory.job().agent_sleeps.load(std::memory_order_seq_cst) != 0;
}

void ring_agent(const host_memory& memory) {
  if (!agent_sleeps(memory)) return;
  auto& job = memory.job();
  job.agent_bell.fetch_add(1, std::memory_order_seq_cst);
  os::futex_wake(job.agent_bell);
}

} // namespace windrow::transport
