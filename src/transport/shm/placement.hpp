// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "transport/host/host_memory.hpp"
#include "windrow/types.hpp"

namespace windrow::transport {

/// Maps the memory of a job so that the heap of PE `pe`, which this process is, has the address that the
/// heaps of all PEs have in their processes; README.md in this folder says how, and when they have different
/// ones. Throws windrow::error.
std::byte* map_for(pe_t pe, int memory_fd, const geometry&);

/// WINDROW_SAME_ADDRESSES: whether programs want that.
bool wants_same_addresses();

} // namespace windrow::transport
