// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "apps/kernels/kernel.hpp"
#include "apps/runner/energy.hpp"
#include "apps/runner/result.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// Told before each turn, on PE 0: style, and the number of the turn (0: warming up).
using turn_listener = std::function<void(kernel_style, unsigned)>;

/// Runs one kernel in several styles in turn (A B C, A B C, …), so that whatever else the machine does meets
/// all of them: a turn that warms up, then `repeats` that count. Each run is timed from barrier to barrier,
/// by the slowest PE, and checked against the sequential program, which PE 0 runs first. Collective; the
/// results, one for each style, are the same on all PEs, but for joules: these come from `meter`, PE 0's.
std::vector<result> measure(job&, const kernel_entry&, const workload&, std::span<const kernel_style>,
                            unsigned repeats, const energy_meter& meter, const turn_listener& listener);

} // namespace windrow::apps
