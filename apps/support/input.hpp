// SPDX-License-Identifier: BSD-3-Clause
// What each PE works on.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/graph/edge_list.hpp"
#include "apps/support/options.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// The whole graph, on every PE: reading a file is cheaper than sending it around, and the kernels keep only
/// a part. Collective: if any PE cannot read it, one says why and all end here.
graph::edge_list load_graph(job&, const options&);

/// Where this PE's part of the edges ends: a scattered access each.
struct edge_targets {
  std::uint64_t first = 0;            ///< position of this PE's first edge in the whole list
  std::uint64_t edges = 0;            ///< in this PE's part
  std::uint64_t sweeps = 1;           ///< times that `indices` goes through the part
  std::vector<graph::vertex> indices; ///< sweeps * edges of them

  /// The sum of (position of its edge + 1) * values[k] over all k: this PE's part of
  /// `graph::position_checksum` of the whole list, for each sweep.
  std::uint64_t checksum(const std::vector<std::uint64_t>& values) const;
};

/// Sweeps are as many as give every PE at least `operations` indices.
edge_targets my_edge_targets(const job&, const graph::edge_list&, std::uint64_t operations);

} // namespace windrow::apps
