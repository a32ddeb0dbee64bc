// SPDX-License-Identifier: BSD-3-Clause
#include "pgas/atomics_gate.hpp"

#include <algorithm>
#include <mutex>

#include "base/fatal.hpp"
#include "os/cpu.hpp"
#include "transport/hook/latency_model.hpp"

namespace windrow {

namespace {
constexpr std::uint32_t most_blocks_until_withdrawal = 4096;

bool is_announced(const detail::memory_map& map) {
  return map.atomics_announced.load(std::memory_order_acquire);
}
} // namespace

void detail::announce_atomics(memory_map& map) {
  if (map.remote_hosts != nullptr || is_announced(map)) return; // a job of several hosts has, for good
  auto& memory = *map.gate;
  const bool several_threads = map.keep_announced;
  if (several_threads ? pgas::this_thread_applies
                      : memory.control(map.pe).applying.load(std::memory_order_relaxed) != 0)
    base::fatal(
        "code that was sent to the owner of a place (then_at_owner) uses a direct atomic operation; it may "
        "use the owner's memory by plain loads and stores only");
  static std::mutex one_at_a_time; // of the threads of a PE; PEs on one thread would wait for themselves
  const auto lock = several_threads ? std::unique_lock(one_at_a_time) : std::unique_lock<std::mutex>();
  if (is_announced(map)) return;
  memory.job().direct_atomics.fetch_add(1, std::memory_order_seq_cst);
  // An owner is applying for the length of one block at most; later blocks see the announcement. This PE's
  // own is another thread's.
  for (pe_t pe = 0; pe < map.pes; ++pe) {
    while ((pe != map.pe || several_threads) &&
           memory.control(pe).applying.load(std::memory_order_seq_cst) != 0) {
      if (map.latency == nullptr)
        os::yield();
      else
        map.latency->give_way();
    }
  }
  // Only now, and in this order: another thread of this PE that sees the announcement goes by what is plain.
  map.plain_atomics.store(map.plain_pes > 0, std::memory_order_release);
  map.atomics_announced.store(true, std::memory_order_release);
}

void pgas::withdraw_atomics(detail::memory_map& map) {
  if (!is_announced(map) || map.keep_announced || map.under_way.load(std::memory_order_relaxed)) return;
  map.atomics_announced.store(false, std::memory_order_relaxed); // by the PE's only thread
  map.plain_atomics.store(false, std::memory_order_relaxed);
  map.gate->job().direct_atomics.fetch_sub(1, std::memory_order_seq_cst);
}

void pgas::early_withdrawal::block_leaves(detail::memory_map& map) {
  if (!is_announced(map) || --left_ > 0) return;
  withdraw_atomics(map);
  blocks_until_withdrawal_ = std::min(2 * blocks_until_withdrawal_, most_blocks_until_withdrawal);
  left_ = blocks_until_withdrawal_;
}

} // namespace windrow
