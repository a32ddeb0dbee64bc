// SPDX-License-Identifier: BSD-3-Clause
// How long a wait may take, from what the standard's interfaces are given.
#pragma once

#include <chrono>

namespace windrow::tasks {

/// What is past is no time, and what is more than nanoseconds can count is nearly 300 years.
template <class Rep, class Period>
std::chrono::nanoseconds limit_of(const std::chrono::duration<Rep, Period>& time) {
  using std::chrono::nanoseconds;
  if (!(time > time.zero())) return nanoseconds::zero();
  if (std::chrono::duration<long double, std::nano>(time) >= nanoseconds::max()) return nanoseconds::max();
  return std::chrono::ceil<nanoseconds>(time);
}

template <class Clock, class Duration>
std::chrono::nanoseconds limit_of(const std::chrono::time_point<Clock, Duration>& moment) {
  const auto now = Clock::now();
  return moment > now ? limit_of(moment - now) : std::chrono::nanoseconds::zero();
}

} // namespace windrow::tasks
