// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "apps/neurons/network.hpp"
#include "windrow/balance.hpp"
#include "windrow/job.hpp"

namespace windrow::apps::neurons {

struct settings {
  network net{};
  std::uint64_t steps = 32;
  std::uint64_t balance_every = 2; ///< steps
};

struct outcome {
  std::uint64_t spikes = 0, checksum = 0;
  double seconds = 0;
  /// Of each balancing: the heaviest PE's load by the mean, before and after.
  std::vector<double> before{}, after{};
  std::size_t moves = 0;
};

/// One group after the other, without Windrow.
outcome run_sequential(const settings&);
/// Each PE has a block of groups, and spikes travel by mailbox. Collective.
outcome run_static(job&, const settings&);
/// Groups are mobile objects. Collective.
outcome run_mobile(job&, const settings&, const balance::policy&);

} // namespace windrow::apps::neurons
