// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "apps/graph/rmat.hpp"
#include "windrow/context.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// What the user of a kernel program chooses.
struct options {
  std::string kernel;
  std::string graph_file; ///< empty: the R-MAT graph
  graph::rmat rmat;
  windrow::style style = windrow::aggregate;
  unsigned repeats = 5;         ///< timed runs, of which the median counts
  std::uint64_t operations = 0; ///< least of each PE in a run: sweep the edges as often as that needs
  bool json = false;

  /// "R-MAT scale 16", or the file's name without folder and endings.
  std::string graph_name() const;
};

/// Reads the command line. Collective: PE 0 speaks for all, and all end here on --help or a mistake.
options parse_options(job&, int argc, char** argv, const std::string& kernel, const std::string& about);

/// Ends this PE's part of the job and the program. Collective.
[[noreturn]] void leave(job&, int exit_code);

} // namespace windrow::apps
