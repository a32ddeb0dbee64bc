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
} // namespace

void detail::announce_atomics(memory_map& map) {
  if (map.remote_hosts != nullptr || map.atomics_announced) return; // a job of several hosts has, for good
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (map.atomics_announced) return;
  auto& memory = *map.gate;
  if (!map.keep_announced && memory.control(map.pe).applying.load(std::memory_order_relaxed) != 0)
    base::fatal(
        "code that was sent to the owner of a place (then_at_owner) uses a direct atomic operation; it may "
        "use the owner's memory by plain loads and stores only");
  memory.job().direct_atomics.fetch_add(1, std::memory_order_seq_cst);
  // An owner is applying for the length of one block at most; later blocks see the announcement.
  for (pe_t pe = 0; pe < map.pes; ++pe) {
    while (pe != map.pe && memory.control(pe).applying.load(std::memory_order_seq_cst) != 0) {
      if (map.latency == nullptr)
        os::yield();
      else
        map.latency->give_way();
    }
  }
  // Only now, and in this order: another thread of this PE that sees the announcement goes by what is plain.
  map.plain_atomics = map.plain_pes > 0;
  map.atomics_announced = true;
}

void pgas::withdraw_atomics(detail::memory_map& map) {
  if (!map.atomics_announced || map.keep_announced || map.under_way) return;
  map.atomics_announced = map.plain_atomics = false;
  map.gate->job().direct_atomics.fetch_sub(1, std::memory_order_seq_cst);
}

void pgas::early_withdrawal::block_leaves(detail::memory_map& map) {
  if (!map.atomics_announced || --left_ > 0) return;
  withdraw_atomics(map);
  blocks_until_withdrawal_ = std::min(2 * blocks_until_withdrawal_, most_blocks_until_withdrawal);
  left_ = blocks_until_withdrawal_;
}

} // namespace windrow
