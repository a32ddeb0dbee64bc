// SPDX-License-Identifier: BSD-3-Clause
#include "transport/shm/placement.hpp"

#include <array>
#include <cstdint>

#include "base/options.hpp"
#include "os/memory.hpp"
#include "windrow/detail/thread_sanitizer.hpp"

namespace windrow::transport {

namespace {

// Far from where programs, libraries and stacks are put. All PEs try them in the same order, and what stands
// in the way in one of them mostly does so in all. ThreadSanitizer has only a few ranges for programs; these
// are in the middle of one of 448 GiB.
constexpr std::array<std::uintptr_t, 2> heap_addresses =
    detail::thread_sanitizer ? std::array<std::uintptr_t, 2>{0x004000000000, 0x006000000000}
                             : std::array<std::uintptr_t, 2>{0x200000000000, 0x400000000000};

/// Where the memory begins if the heap of PE `pe` is at `heap`. Memory that would reach too far down, for any
/// PE of the job, begins there in all of them.
std::byte* beginning(std::uintptr_t heap, pe_t pe, const geometry& shape) {
  const auto lowest = heap / 32; // programs that are not position-independent
  const bool fits = shape.heaps + (shape.pes - 1) * shape.segment_bytes <= heap - lowest;
  const auto before = shape.heaps + static_cast<std::size_t>(pe) * shape.segment_bytes;
  return reinterpret_cast<std::byte*>(fits && wants_same_addresses() ? heap - before : heap);
}

} // namespace

bool wants_same_addresses() {
  return base::flag_option("WINDROW_SAME_ADDRESSES", true);
}

std::byte* map_for(pe_t pe, int memory_fd, const geometry& shape) {
  for (const auto heap : heap_addresses)
    if (auto* const base = os::try_map_shared_memory(memory_fd, shape.total, beginning(heap, pe, shape)))
      return base;
  return os::map_shared_memory(memory_fd, shape.total, beginning(heap_addresses.front(), pe, shape));
}

} // namespace windrow::transport
