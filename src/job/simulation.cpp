// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/simulation.hpp"

#include "base/fatal.hpp"
#include "pgas/core.hpp"

namespace windrow {

bool is_simulated(const job& j) {
  return j.core().link().takes_turns();
}

std::uint64_t clock_ns(const job& j) {
  return j.core().link().told_ns();
}
std::uint64_t detail::clock_ns(const job& j) {
  return j.core().link().now_ns();
}

void simulate_work(const job& j, std::chrono::nanoseconds time) {
  if (time.count() < 0) base::fatal("simulate_work: the time is negative");
  j.core().link().compute(static_cast<std::uint64_t>(time.count()));
}

} // namespace windrow
