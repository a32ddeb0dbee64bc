// SPDX-License-Identifier: BSD-3-Clause
#include "pgas/collective_call.hpp"

#include <fmt/format.h>

namespace windrow::pgas {

std::string describe(const collective_call& call) {
  switch (call.kind) {
    case collective::barrier:
      return "barrier()";
    case collective::broadcast:
      return fmt::format("broadcast({} bytes, root {})", call.bytes, call.root);
    case collective::reduce:
      return fmt::format("reduce({} bytes)", call.bytes);
    case collective::scan:
      return fmt::format("scan({} bytes)", call.bytes);
    case collective::exclusive_scan:
      return fmt::format("exclusive_scan({} bytes)", call.bytes);
    case collective::allgather:
      return fmt::format("allgather({} bytes)", call.bytes);
    case collective::alltoall:
      return fmt::format("alltoall({} bytes for each)", call.bytes);
    case collective::allgatherv:
      return fmt::format("allgatherv(at most {} bytes)", call.bytes);
    case collective::alltoallv:
      return fmt::format("alltoallv(at most {} bytes for each)", call.bytes);
    case collective::split_strided:
      return fmt::format("split_strided(start {}, stride {}, size {})", call.root,
                         static_cast<pe_t>(call.bytes >> 32), static_cast<pe_t>(call.bytes));
  }
  return "an unknown collective";
}

} // namespace windrow::pgas
