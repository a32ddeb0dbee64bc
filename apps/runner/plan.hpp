// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/graph/generate.hpp"
#include "apps/graph/read.hpp"
#include "apps/kernels/kernel.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// What the user of the runner chooses.
struct plan {
  std::vector<const kernel_entry*> kernels;
  std::vector<kernel_style> styles;
  unsigned repeats = 5;         ///< timed turns, of which the median counts
  graph::graph_file graph_file; ///< an empty path: the generated graph
  graph::generator generator;   ///< its seed is that of the kernels too
  std::string sequences;        ///< FASTQ file; empty: generated reads
  std::uint64_t operations = 0; ///< see workload::operations

  /// Those of the chosen styles that a kernel has.
  std::vector<kernel_style> styles_of(const kernel_entry&) const;
  /// "R-MAT scale 16", or the file's name without folder and endings.
  std::string graph_name() const;
};

/// Reads the command line. Collective: PE 0 speaks for all, and all end here on --help or a mistake.
plan parse_plan(job&, int argc, char** argv, std::span<const kernel_entry> table);

/// Ends this PE's part of the job and the program. Collective.
[[noreturn]] void leave(job&, int exit_code);

} // namespace windrow::apps
