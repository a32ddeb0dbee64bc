// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "apps/support/options.hpp"
#include "apps/support/result.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// Times a kernel and checks every run of it:
///
///     trial t(job, options, operations, expected);
///     while (t.next()) { prepare; t.start(); work; t.stop(); t.check(checksum); }
///     return t.report();
///
/// All of it is collective. The first run warms up: it is checked and not timed.
class trial {
 public:
  /// `operations` of this PE in one run; `expected` is what `check` is to find (only PE 0's is used).
  trial(job&, const options&, std::uint64_t operations, std::uint64_t expected);

  /// Whether one more run is due.
  bool next() { return runs_++ <= options_.repeats; }
  void start();
  void stop();
  /// `checksum` is this PE's part; the sum over all PEs must be the expected one.
  void check(std::uint64_t checksum);

  /// PE 0 prints the result. Returns the exit code: 0 if all runs were right.
  int report();

 private:
  using clock = std::chrono::steady_clock;

  job& job_;
  const options& options_;
  result result_;
  unsigned runs_ = 0;
  clock::time_point start_;
  std::vector<double> seconds_;
};

} // namespace windrow::apps
