// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/job.hpp"

namespace windrow::test {

/// Grows `trees` random trees that begin at each PE at the same time. Their nodes are portable tasks, tasks,
/// light threads, futures, branches and finishes, on whichever PE they come to run; some throw. Checks that
/// each finish returns when all nodes of its tree have run, no earlier, and rethrows if one has thrown.
/// Collective, with the same seed on all PEs.
void run_random_portable_trees(job&, std::uint64_t seed, int trees);

} // namespace windrow::test
