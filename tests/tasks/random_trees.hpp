// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/job.hpp"

namespace windrow::test {

/// Grows `epochs` random trees per PE, each inside a finish with a barrier. Their nodes are tasks for any
/// worker, tasks for one worker, futures, nested finishes and messages of both kinds (whose handlers wait for
/// their tasks, or do not). Checks that each epoch runs exactly the nodes that a sequential computation
/// gives, and that nothing is alive when the finish returns. Collective, with the same seed on all PEs.
void run_random_trees(job&, std::uint64_t seed, int epochs);

} // namespace windrow::test
