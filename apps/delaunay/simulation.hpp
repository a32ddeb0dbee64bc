// SPDX-License-Identifier: BSD-3-Clause
// Refinement of all leaves, level by level. A level has rounds: each leaf has a turn in each of them, in
// which it is refined if it has bad triangles. Leaves that have a neighbour in common, or are neighbours,
// have their turns in the order of their colours, others whenever they like. So there is one result, unless
// refinement is optimistic.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/delaunay/refine.hpp"
#include "windrow/balance.hpp"
#include "windrow/job.hpp"
#include "windrow/mobile.hpp"

namespace windrow::apps::delaunay {

struct settings {
  domain where{};
  std::uint64_t balance_every = 1; ///< levels
  handlers runs = handlers::on_own_thread;
  bool optimistic = false; ///< all workers refine a leaf, and the mesh is one of many

  /// Refines a leaf. Gives the number of conflicts.
  std::uint64_t refine_leaf(const leaves_together& leaves) const {
    if (optimistic) return refine_optimistically(leaves);
    refine(leaves);
    return 0;
  }
};

struct outcome {
  std::uint64_t triangles = 0, checksum = 0;
  std::uint64_t rounds = 0;     ///< of all levels
  std::uint64_t conflicts = 0;  ///< between workers
  std::vector<triangle> mesh{}; ///< on PE 0
  double seconds = 0;
  /// Of each balancing: the heaviest PE's load by the mean, before and after.
  std::vector<double> before{}, after{};
  std::size_t moves = 0;
};

/// One leaf after the other, without Windrow.
outcome run_sequential(const settings&);
/// Each PE has a block of leaves, and lends copies to those who refine their neighbours. Collective.
outcome run_static(job&, const settings&);
/// Leaves are mobile objects, which come to the neighbour that is refined. Collective.
outcome run_mobile(job&, const settings&, const balance::policy&);

/// All triangles of each PE, on PE 0. Collective.
std::vector<triangle> gather(job&, const std::vector<triangle>& here);

/// What is wrong with a mesh of the domain: not conforming, not Delaunay, triangles that are bad; empty if
/// nothing is.
std::vector<const char*> faults(const domain&, std::span<const triangle>);

} // namespace windrow::apps::delaunay
