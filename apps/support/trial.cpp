// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/trial.hpp"

#include <algorithm>
#include <iostream>

namespace windrow::apps {

trial::trial(job& j, const options& chosen, std::uint64_t operations, std::uint64_t expected)
    : job_(j), options_(chosen) {
  result_.kernel = chosen.kernel;
  result_.graph = chosen.graph_name();
  result_.style = chosen.style == blocking ? "blocking" : "aggregated";
  result_.pes = j.pes();
  result_.operations = j.world().sum(operations);
  result_.checksum = result_.expected = j.world().broadcast(expected, 0);
}

void trial::start() {
  job_.barrier();
  start_ = clock::now();
}

void trial::stop() {
  job_.barrier();
  const std::chrono::duration<double> took = clock::now() - start_;
  const auto longest = job_.world().max(took.count());
  if (runs_ > 1) seconds_.push_back(longest);
}

void trial::check(std::uint64_t checksum) {
  const auto sum = job_.world().sum(checksum);
  if (result_.is_right()) result_.checksum = sum;
}

int trial::report() {
  std::ranges::sort(seconds_);
  result_.seconds = seconds_[seconds_.size() / 2];
  if (job_.pe() == 0)
    std::cout << (options_.json ? nlohmann::json(result_).dump() : describe(result_)) << std::endl;
  return result_.is_right() ? 0 : 1;
}

} // namespace windrow::apps
