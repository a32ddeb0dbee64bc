// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/job.hpp"

namespace windrow::test {

/// A random program, the same on all PEs: one to four selectors whose runs are nested, some stages completed
/// early, and random trees of messages over mailboxes of fixed and variable size, whose handlers also use
/// contexts. At every point where nothing may be under way, each PE compares what it has handled with a
/// sequential expansion of all trees. Collective; failures name the seed.
void run_random_selectors(job&, std::uint64_t seed);

} // namespace windrow::test
