// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "apps/particles/physics.hpp"
#include "windrow/balance.hpp"
#include "windrow/job.hpp"

namespace windrow::apps::particles {

struct settings {
  grid cells{16};
  std::uint64_t particles = 20'000;
  std::uint64_t steps = 40;
  std::uint64_t balance_every = 5; ///< steps
};

struct outcome {
  std::uint64_t checksum = 0;
  std::uint64_t particles = 0; ///< at the end: as many as at the beginning
  double seconds = 0;
  /// Of each balancing: the heaviest PE's load by the mean, before and after.
  std::vector<double> before{}, after{};
  std::size_t moves = 0;
};

/// One after the other, without Windrow.
outcome run_sequential(const settings&);
/// Each PE has a block of rows, and particles travel by mailbox. Collective.
outcome run_static(job&, const settings&);
/// Cells are mobile objects. Collective.
outcome run_mobile(job&, const settings&, const balance::policy&);

} // namespace windrow::apps::particles
