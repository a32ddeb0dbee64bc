// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/result.hpp"

#include <fmt/format.h>

namespace windrow::apps {

double result::million_operations_per_second_and_pe() const {
  return seconds > 0 ? static_cast<double>(operations) / seconds / pes * 1e-6 : 0;
}

std::string describe(const result& r) {
  const auto verdict = r.is_right() ? "equal to the sequential count"
                                    : fmt::format("WRONG: checksum {} instead of {}", r.checksum, r.expected);
  return fmt::format("{} on {}, {}, {} PE{}: {} operations in {:.6f} s, {:.1f} million per second and PE, {}",
                     r.kernel, r.graph, r.style, r.pes, r.pes == 1 ? "" : "s", r.operations, r.seconds,
                     r.million_operations_per_second_and_pe(), verdict);
}

} // namespace windrow::apps
