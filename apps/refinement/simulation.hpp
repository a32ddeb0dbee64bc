// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/refinement/patch.hpp"
#include "windrow/balance.hpp"
#include "windrow/job.hpp"

namespace windrow::apps::refinement {

struct settings {
  domain where{};
  std::uint64_t steps = 12;
  std::uint64_t balance_every = 1;
  std::string picture{}; ///< of the last step, an SVG file; empty: none
};

struct outcome {
  std::vector<std::uint64_t> triangles{}, checksums{}; ///< of each step
  double seconds = 0;
  std::vector<std::vector<double>> loads{}; ///< triangles of each PE, by step
  std::size_t moves = 0;
  /// The heaviest PE's triangles by the mean, over all steps.
  double imbalance() const;
};

/// One mesh, without patches and without Windrow.
outcome run_sequential(const settings&);
/// Each PE has a block of patches, and edges travel by mailbox. Collective.
outcome run_static(job&, const settings&);
/// Patches are mobile objects. Collective.
outcome run_mobile(job&, const settings&, const balance::policy&);

/// A part of a picture: the triangles of one PE.
struct coloured {
  pe_t pe;
  triangle what;
};
/// Draws the mesh, coloured by PE, and the load of each PE at each step. Throws windrow::error if it cannot
/// write the file.
void draw(const std::string& file, const domain&, const std::vector<coloured>&,
          const std::vector<std::vector<double>>& loads);

} // namespace windrow::apps::refinement
