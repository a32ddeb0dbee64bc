// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "transport/host/host_memory.hpp"
#include "windrow/types.hpp"

namespace windrow::pgas {

enum class collective : std::uint32_t {
  barrier,
  broadcast,
  reduce,
  scan,
  exclusive_scan,
  allgather,
  alltoall,
  allgatherv,
  alltoallv,
  split_strided,
};

/// What one member calls: everything that must be the same on all members. Written beside its contribution
/// when checks are on, so that members can compare.
struct collective_call {
  collective kind;
  pe_t root = 0;           ///< or the start of a split
  std::uint64_t bytes = 0; ///< of the largest part, where they differ; or stride and size of a split

  static collective_call split(pe_t start, pe_t stride, pe_t size) {
    return {collective::split_strided, start,
            static_cast<std::uint64_t>(static_cast<std::uint32_t>(stride)) << 32 |
                static_cast<std::uint32_t>(size)};
  }

  void write(transport::collective_slot& slot) const {
    slot.signature = static_cast<std::uint64_t>(kind) << 32 | static_cast<std::uint32_t>(root);
    slot.bytes = bytes;
  }
  static collective_call read(const transport::collective_slot& slot) {
    return {static_cast<collective>(slot.signature >> 32), static_cast<pe_t>(slot.signature), slot.bytes};
  }

  bool operator==(const collective_call&) const = default;
};

/// As in "broadcast(8 bytes, root 0)".
std::string describe(const collective_call&);

} // namespace windrow::pgas
