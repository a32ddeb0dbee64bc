// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/team.hpp"

namespace windrow::test {

/// Runs `steps` random collectives on random teams (the world, splits of it and of each other, made and
/// dropped on the way, on each PE at another time) and compares every result with a sequential computation.
/// All PEs of `world` call it with the same seed; it names the seed in every failure.
void run_random_collectives(const team& world, std::uint64_t seed, int steps);

} // namespace windrow::test
