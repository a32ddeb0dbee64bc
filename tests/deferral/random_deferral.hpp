// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/context.hpp"
#include "windrow/job.hpp"

namespace windrow::test {

/// Runs a random program of deferred code on contexts of these styles: continuations of all operations that
/// lead to others, up to four deep, with several fetches, as functions and as coroutines. Compares what it
/// did with a sequential computation. All PEs call it with the same arguments; failures name the seed.
void run_random_deferral(job& j, std::uint64_t seed, std::span<const style> styles, std::uint32_t roots);

} // namespace windrow::test
