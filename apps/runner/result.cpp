// SPDX-License-Identifier: BSD-3-Clause
#include "apps/runner/result.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace windrow::apps {

double result::median_seconds() const {
  if (seconds.empty()) return 0;
  auto sorted = seconds;
  std::ranges::sort(sorted);
  return sorted[sorted.size() / 2];
}

double result::best_seconds() const {
  return seconds.empty() ? 0 : *std::ranges::min_element(seconds);
}

double result::million_operations_per_second_and_pe() const {
  const auto median = median_seconds();
  return median > 0 ? static_cast<double>(operations) / median / pes * 1e-6 : 0;
}

std::string describe(const result& r) {
  const auto verdict = r.is_right() ? "equal to the sequential program"
                                    : fmt::format("WRONG: checksum {} instead of {}", r.checksum, r.expected);
  return fmt::format("{} on {}, {}, {} PE{}: {}", r.kernel, r.graph, r.style, r.pes, r.pes == 1 ? "" : "s",
                     verdict);
}

} // namespace windrow::apps
