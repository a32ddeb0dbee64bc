// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "windrow/types.hpp"

namespace windrow::transport {

/// Which host each PE is on. Hosts are numbered in the order of their first PEs.
struct host_map {
  std::vector<int> host_of; ///< by PE
  int here;                 ///< this one
  int hosts;

  int of(pe_t pe) const { return host_of[static_cast<std::size_t>(pe)]; }
  bool is_here(pe_t pe) const { return of(pe) == here; }
  /// The first PE of a host, in which its agent runs.
  pe_t leader(int host) const {
    return static_cast<pe_t>(std::find(host_of.begin(), host_of.end(), host) - host_of.begin());
  }
};

} // namespace windrow::transport
