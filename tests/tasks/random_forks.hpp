// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/job.hpp"

namespace windrow::test {

/// Grows `trees` random trees on this PE: forks, parallel loops and reductions, finishes, tasks and futures,
/// some of whose nodes throw. Checks each against a sequential computation of the same tree: its value or its
/// exception, how many nodes have run, and that nothing runs any more afterwards. Prints the seed of one that
/// is wrong. Not collective.
void run_random_forks(job&, std::uint64_t seed, int trees);

/// Random forks in the handlers of messages, which all PEs send to each other. Collective.
void run_random_forks_in_handlers(job&, std::uint64_t seed, int trees);

} // namespace windrow::test
