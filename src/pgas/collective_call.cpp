// SPDX-License-Identifier: BSD-3-Clause
#include "pgas/collective_call.hpp"

#include <fmt/format.h>

namespace windrow::pgas {

std::string describe(const collective_call& call) {
  switch (call.kind) {
    case collective::barrier:
      return "called barrier()";
    case collective::broadcast:
      return fmt::format("called broadcast({} bytes, root {})", call.bytes, call.root);
    case collective::reduce:
      return fmt::format("called reduce({} bytes)", call.bytes);
    case collective::scan:
      return fmt::format("called scan({} bytes)", call.bytes);
    case collective::exclusive_scan:
      return fmt::format("called exclusive_scan({} bytes)", call.bytes);
    case collective::allgather:
      return fmt::format("called allgather({} bytes)", call.bytes);
    case collective::alltoall:
      return fmt::format("called alltoall({} bytes for each)", call.bytes);
    case collective::split_strided:
      return fmt::format("called split_strided(start {}, stride {}, size {})", call.root,
                         static_cast<pe_t>(call.bytes >> 32), static_cast<pe_t>(call.bytes));
    case collective::release:
      return "released the team";
  }
  return "called an unknown collective";
}

} // namespace windrow::pgas
