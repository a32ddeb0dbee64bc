// SPDX-License-Identifier: BSD-3-Clause
// Timing between barriers, several variants in turn, medians: what a number here means.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "windrow/job.hpp"

namespace windrow::bench {

/// One way of doing the work that is measured.
struct variant {
  std::string name;
  std::function<void()> run; ///< collective; complete on all PEs when all have returned and met in a barrier
  std::function<void()> check; ///< afterwards, outside the clock; ends the job if the result is wrong
};

/// Seconds of each repetition, sorted.
struct timing {
  std::string name;
  std::vector<double> seconds;

  double median() const { return seconds[seconds.size() / 2]; }
  double best() const { return seconds.front(); }
  double worst() const { return seconds.back(); }
};

inline double time_once(job& j, const variant& v) {
  j.barrier();
  const auto begin = std::chrono::steady_clock::now();
  v.run();
  j.barrier();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (v.check) v.check();
  return j.world().max(seconds.count());
}

/// Runs the variants A B C, A B C, …, after one round that is not counted (it touches the memory). All PEs
/// get the same times: those of the slowest PE.
inline std::vector<timing> measure(job& j, const std::vector<variant>& variants, int repetitions) {
  std::vector<timing> result;
  for (const auto& v : variants) {
    time_once(j, v);
    result.push_back({v.name, {}});
  }
  for (int i = 0; i < repetitions; ++i)
    for (std::size_t k = 0; k < variants.size(); ++k) result[k].seconds.push_back(time_once(j, variants[k]));
  for (auto& t : result) std::sort(t.seconds.begin(), t.seconds.end());
  return result;
}

} // namespace windrow::bench
