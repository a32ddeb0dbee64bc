// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "windrow/types.hpp"

namespace windrow::transport {

inline constexpr pe_t most_pes = 4096; ///< of a job, on however many hosts

/// WINDROW_SYMMETRIC_SIZE, or what OpenSHMEM calls it (SHMEM_SYMMETRIC_SIZE), or an equal share of half the
/// memory of this host for `pes_here` of the `pes` PEs, within what may be mapped, and at most 2 GiB with
/// WINDROW_SIM. Memory is committed on first touch, so a generous heap costs nothing.
std::size_t wanted_heap_bytes(pe_t pes_here, pe_t pes);
/// That of a job whose PEs are all on this host. Throws windrow::error if so much cannot be addressed.
std::size_t heap_bytes_per_pe(pe_t pes);
/// Whether one of these variables says so, rather than the memory of this host.
bool heap_size_is_chosen();
/// Throws windrow::error if a process cannot address the heaps of `pes` PEs.
void require_addressable(std::size_t heap_bytes, pe_t pes);

/// What a PE's symmetric segment consists of.
struct segment_size {
  std::size_t heap_bytes;
  std::size_t data_bytes; ///< room for global variables: address space, committed only when adopted
};
segment_size segment_of(std::size_t heap_bytes, pe_t pes);

} // namespace windrow::transport
