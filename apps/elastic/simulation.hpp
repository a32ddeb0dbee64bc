// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "apps/elastic/block.hpp"
#include "windrow/balance.hpp"
#include "windrow/job.hpp"
#include "windrow/mobile.hpp"

namespace windrow::apps::elastic {

struct settings {
  problem what{};
  grid points{};
  std::uint64_t steps = 24;
  std::uint64_t balance_every = 3; ///< steps
  handlers where = handlers::on_own_thread;

  std::uint64_t phases() const { return 2 * steps; }
  double end() const { return static_cast<double>(steps) * points.time_step(what); }
};

struct outcome {
  std::uint64_t checksum = 0;
  double error = 0;        ///< the greatest at the end; from rest, if the solution is not known
  std::uint64_t awake = 0; ///< blocks that the waves have reached
  double seconds = 0;
  /// Of each balancing: the heaviest PE's load by the mean, before and after.
  std::vector<double> before{}, after{};
  std::size_t moves = 0;
};

/// One block after the other, without Windrow.
outcome run_sequential(const settings&);
/// Each PE has a slab of blocks, and frames travel by mailbox. Planes of a block are computed on all workers.
/// Collective.
outcome run_static(job&, const settings&);
/// Blocks are mobile objects, which go on as soon as their frames are there. Planes of a block are computed
/// on all workers, and so are different blocks, if handlers run there. Collective.
outcome run_mobile(job&, const settings&, const balance::policy&);

} // namespace windrow::apps::elastic
