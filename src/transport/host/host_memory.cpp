// SPDX-License-Identifier: BSD-3-Clause
#include "transport/host/host_memory.hpp"

#include <algorithm>
#include <bit>

#include "os/cpu.hpp"
#include "windrow/detail/round_up.hpp"

namespace windrow::transport {

namespace {

using detail::round_up;

constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = 2 * 1024 * 1024;
constexpr std::size_t most_alignment = 64 * 1024 * 1024;
constexpr std::size_t block_budget = 4 * 1024 * 1024; // per PE, as long as blocks are large enough for it
constexpr std::uint32_t largest_block = 16 * 1024;
constexpr std::uint32_t smallest_block = 1024;

} // namespace

geometry::geometry(pe_t pe_count, segment_size segment) : pes(static_cast<std::uint32_t>(pe_count)) {
  // Two blocks per destination (one filling, one in flight) and some to spare, so that one busy pair gets
  // several: 36 blocks of 16 KiB for 2 PEs, which is within the 256 KiB to 1 MiB at which a pair is fastest.
  blocks_per_pe = 2 * pes + 32;
  const auto fitting = std::bit_floor(static_cast<std::uint32_t>(block_budget / blocks_per_pe));
  block_bytes = std::clamp(fitting, smallest_block, largest_block);
  heap_bytes = round_up(std::max(segment.heap_bytes, page), huge_page);
  data_bytes = round_up(segment.data_bytes, huge_page);
  // So that blocks of an eighth of the heap can be aligned to their size in all PEs.
  const auto alignment = std::clamp(std::bit_floor(heap_bytes / 8), huge_page, most_alignment);
  segment_bytes = round_up(heap_bytes + data_bytes, alignment);

  control = page;
  slots = round_up(control + pes * sizeof(pe_control), page);
  bounce = round_up(slots + pes * max_teams * sizeof(team_slot), page);
  requests = round_up(bounce + 2 * bounce_bytes * pes, page);
  buffers = round_up(requests + sizeof(request) * requests_per_pe * pes, page);
  sim = round_up(buffers + buffer_bytes * pes, page);
  tasks = round_up(sim + sizeof(sim_control) + sizeof(sim_place) * pes, page);
  blocks = round_up(tasks + task_bytes * pes, page);
  heaps = round_up(blocks + static_cast<std::size_t>(pes) * blocks_per_pe * block_bytes, alignment);
  total = heaps + pes * segment_bytes;
}

void host_memory::set_state(pe_t pe, pe_state state) const {
  control(pe).state.store(state, std::memory_order_seq_cst);
  if (state == pe_state::finalized || state == pe_state::failed)
    job().departed.store(1, std::memory_order_seq_cst);
}

int host_memory::processors() const {
  const auto known = job().processors;
  return known != 0 ? static_cast<int>(known) : os::usable_cpus();
}

} // namespace windrow::transport
