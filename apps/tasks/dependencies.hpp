// SPDX-License-Identifier: BSD-3-Clause
// Steps of a stencil: each task needs the results of three of the step before (Slaughter et al., "Task Bench:
// A Parameterized Benchmark for Evaluating Parallel Runtime Performance", SC 2020).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace windrow::apps::tasking {

struct stencil_shape {
  int width, steps;
  std::uint64_t iterations; ///< of the loop in each task; on average if they are not even
  bool even;                ///< if not, between none and twice as many
};

class stencil {
 public:
  explicit stencil(const stencil_shape&);

  /// Before another of those that follow: no result is left.
  void forget();
  /// Each computes all results; the sum of the last step is returned.
  std::uint64_t by_calls();
  /// A parallel loop for each step.
  std::uint64_t by_loops();
  /// A task for each point, started by the last of those that it needs.
  std::uint64_t by_tasks();

 private:
  int dependencies(int x) const;
  std::uint64_t& at(int step, int x) {
    return values_[static_cast<std::size_t>(step) * static_cast<std::size_t>(shape_.width) +
                   static_cast<std::size_t>(x)];
  }
  void compute(int step, int x);
  void run_task(int step, int x);
  std::uint64_t sum();

  stencil_shape shape_;
  std::vector<std::uint64_t> values_;
  std::unique_ptr<std::atomic<int>[]> missing_; ///< what each point still waits for
};

/// The least time per task at which half of the processors' time is work: "minimum effective task
/// granularity". Prints what it measures. False if a result is wrong.
bool measure_granularity(int width, int steps, bool even);

} // namespace windrow::apps::tasking
