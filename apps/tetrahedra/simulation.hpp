// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "apps/tetrahedra/part.hpp"
#include "windrow/balance.hpp"
#include "windrow/job.hpp"

namespace windrow::apps::tetrahedra {

struct settings {
  sizes where{};
  std::uint64_t steps = 8;
  std::uint64_t balance_every = 1;
};

struct outcome {
  std::vector<std::uint64_t> tetrahedra{}, checksums{}; ///< of each step
  double seconds = 0;
  /// Of each balancing: the heaviest PE's load by the mean, before and after.
  std::vector<double> before{}, after{};
  std::size_t moves = 0;
};

/// One mesh by the definition, without parts and without Windrow.
std::vector<tetrahedron> refine_alone(const sizes&, std::uint64_t step);
outcome run_sequential(const settings&);
/// Each PE has a block of leaves, and edges travel by mailbox. Collective.
outcome run_static(job&, const settings&);
/// The parts of leaves are mobile objects. Collective.
outcome run_mobile(job&, const settings&, const balance::policy&);

} // namespace windrow::apps::tetrahedra
