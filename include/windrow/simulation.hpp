// SPDX-License-Identifier: BSD-3-Clause
// For programs that run in a simulated network (WINDROW_SIM, docs/predict.md): what time it is there, and how
// long the program's own work takes.
#pragma once

#include <chrono>
#include <cstdint>

#include "windrow/job.hpp"

namespace windrow {

/// Whether this job runs in a simulated network.
bool is_simulated(const job&);

/// This PE's clock, in nanoseconds from any moment on: the simulated one, or without a simulation the real
/// one. Differences tell how long something took on this PE.
std::uint64_t clock_ns(const job&);

/// Lets `time` pass on the simulated clock: the program's own work, which no model knows. Without a
/// simulation nothing happens, since real work takes its time by itself. Local.
void simulate_work(const job&, std::chrono::nanoseconds time);

} // namespace windrow
