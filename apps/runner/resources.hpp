// SPDX-License-Identifier: BSD-3-Clause
// What this process uses of the machine, as the operating system counts it.
#pragma once

#include <cstdint>

namespace windrow::apps {

/// Processor time so far, of all threads.
double cpu_seconds();

/// Resident memory at its highest, in bytes, since `forget_peak_memory` (or the start, where the system does
/// not let us forget). Shared memory counts as far as this process has touched it. 0 if it is not known.
std::uint64_t peak_memory();
void forget_peak_memory();

} // namespace windrow::apps
