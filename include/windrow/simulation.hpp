// SPDX-License-Identifier: BSD-3-Clause
// For programs that run in a simulated network (WINDROW_SIM, docs/predict.md): what time it is there, and how
// long the program's own work takes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "windrow/job.hpp"

namespace windrow {

/// Whether this job runs in a simulated network.
bool is_simulated(const job&);

/// This PE's clock, in nanoseconds from any moment on: the simulated one, or without a simulation the real
/// one. Differences tell how long something took on this PE. The simulated one goes on for a PE that asks a
/// thousand times in a row and does nothing else, so that loops which wait for a moment end.
std::uint64_t clock_ns(const job&);

namespace detail {

/// That clock for the library itself: however often it asks, no time passes.
std::uint64_t clock_ns(const job&);

} // namespace detail

/// Lets `time` pass on the simulated clock: the program's own work, which no model knows. Without a
/// simulation nothing happens, since real work takes its time by itself. Local.
void simulate_work(const job&, std::chrono::nanoseconds time);

/// Runs `body` on `pes` PEs (1 to 4096) in the network that WINDROW_SIM says, each with a job of its own, and
/// returns when all have ended. They take turns on the calling thread, each on a stack as large as that of a
/// new thread, so there may be thousands. Results and times are those of PEs that are processes. Global
/// variables, and thread-local ones, are those of all PEs; a PE that waits for another one otherwise than by
/// the library waits for ever. An exception that leaves `body` ends the program, as one that leaves a thread
/// does. Throws windrow::error without a model or memory, and where the caller is such a PE itself.
void run_simulated(pe_t pes, const std::function<void(job&)>& body);

} // namespace windrow
