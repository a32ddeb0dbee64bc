// SPDX-License-Identifier: BSD-3-Clause
// What kernels share: shares of edges, styles of contexts, the clock of the sequential programs.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "apps/kernels/kernel.hpp"
#include "apps/support/share.hpp"
#include "windrow/context.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// How often a kernel goes through the edges, to do `workload::operations` with one for each edge. At least
/// once.
std::uint64_t sweeps_over_edges(const workload&);

/// Where the edges of this PE's share end: a scattered access each.
struct edge_targets {
  explicit edge_targets(const job&, const workload&);

  share edges;
  std::vector<graph::vertex> indices; ///< the share, one behind the other for each sweep

  /// The sum of (position of its edge + 1) * values[k] over all k: this PE's part of
  /// `graph::position_checksum` of the whole list, for each sweep.
  std::uint64_t checksum(const std::vector<std::uint64_t>& values) const;
};

/// Wall-clock seconds that `work` takes.
template <class Work>
double seconds_of(Work&& work) {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  work();
  return std::chrono::duration<double>(clock::now() - start).count();
}

} // namespace windrow::apps
