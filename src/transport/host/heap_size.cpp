// SPDX-License-Identifier: BSD-3-Clause
#include "transport/host/heap_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/options.hpp"
#include "os/memory.hpp"
#include "windrow/error.hpp"

namespace windrow::transport {

namespace {

constexpr std::uint64_t most_total = std::uint64_t{64} << 40; // of the 128 TiB of a process's address space

/// In a simulated network, whose messages are as long on each machine: what the shortest places reach, global
/// variables included.
constexpr std::uint64_t most_simulated = std::uint64_t{2} << 30;

// A process maps the heaps of the whole job, those of other hosts too.
std::uint64_t share_of_memory(pe_t pes_here, pe_t pes) {
  const auto addresses = std::min(os::address_space_limit() / 2, most_total);
  const auto share = std::min(os::usable_memory() / 2 / static_cast<std::uint64_t>(pes_here),
                              addresses / static_cast<std::uint64_t>(pes));
  return base::text_option("WINDROW_SIM") ? std::min(share, most_simulated) : share;
}

// Of global variables. Only programs that use the OpenSHMEM interface need it, and it costs nothing else.
constexpr std::uint64_t most_data = std::uint64_t{4} << 30;

// OpenSHMEM up to 1.3 said SMA where later versions say SHMEM; what it ignores is an error in our own.
std::uint64_t wanted_heap(std::uint64_t otherwise) {
  constexpr auto ignored = base::behind_unit::ignored;
  const auto oldest = base::size_option("SMA_SYMMETRIC_SIZE", otherwise, ignored);
  return base::size_option("WINDROW_SYMMETRIC_SIZE",
                           base::size_option("SHMEM_SYMMETRIC_SIZE", oldest, ignored));
}

} // namespace

segment_size segment_of(std::size_t heap_bytes, pe_t pes) {
  return {heap_bytes, std::min(most_data, os::address_space_limit() / 8 / static_cast<std::uint64_t>(pes))};
}

std::size_t wanted_heap_bytes(pe_t pes_here, pe_t pes) {
  return wanted_heap(share_of_memory(pes_here, pes));
}

std::size_t heap_bytes_per_pe(pe_t pes) {
  const auto bytes = wanted_heap_bytes(pes, pes);
  require_addressable(bytes, pes);
  return bytes;
}

bool heap_size_is_chosen() {
  return wanted_heap(0) == wanted_heap(1);
}

void require_addressable(std::size_t heap_bytes, pe_t pes) {
  if (heap_bytes <= most_total / static_cast<std::uint64_t>(pes)) return;
  throw error(
      fmt::format("{} PEs with a symmetric heap of {} each are more than the {} that a process can address; "
                  "lower WINDROW_SYMMETRIC_SIZE",
                  pes, base::format_size(heap_bytes), base::format_size(most_total)));
}

} // namespace windrow::transport
