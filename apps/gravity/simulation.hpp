// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "apps/gravity/box.hpp"
#include "windrow/balance.hpp"
#include "windrow/job.hpp"
#include "windrow/mobile.hpp"

namespace windrow::apps::gravity {

struct settings {
  setting of{};
  std::uint64_t steps = 20;
  std::uint64_t balance_every = 4; ///< steps
  handlers runs = handlers::on_own_thread;
};

struct outcome {
  std::uint64_t checksum = 0;
  std::uint64_t bodies = 0; ///< at the end: as many as at the beginning
  double seconds = 0;
  /// Of each balancing: the heaviest PE's load by the mean, before and after.
  std::vector<double> before{}, after{};
  std::size_t moves = 0;
};

/// One box after the other, without Windrow. `last` gets all bodies at the end, if they are wanted.
outcome run_sequential(const settings&, std::vector<body>* last = nullptr);
/// Each PE has a block of boxes, and trees travel by mailbox. Collective.
outcome run_static(job&, const settings&);
/// Boxes are mobile objects. Collective.
outcome run_mobile(job&, const settings&, const balance::policy&);

/// How far accelerations by the tree of all bodies are from sums over all bodies: the root of the mean square
/// of the relative errors, over every `stride`-th body.
double error_of_tree(const setting&, const std::vector<body>&, std::uint64_t stride);

} // namespace windrow::apps::gravity
