// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/job.hpp"

namespace windrow::test {

/// Runs a random program: `epochs` epochs of up to `most_operations` operations of all kinds on all types,
/// issued by all PEs through several contexts of both styles at once, and compares memory and results with a
/// sequential computation after each barrier. All PEs call it with the same arguments; failures name the
/// seed.
void run_random_operations(job& j, std::uint64_t seed, int epochs, std::uint32_t most_operations);

/// The same program, where tasks on any worker issue most of the aggregated operations of each PE.
void run_random_operations_in_tasks(job& j, std::uint64_t seed, int epochs, std::uint32_t most_operations);

} // namespace windrow::test
