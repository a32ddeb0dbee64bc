// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/job.hpp"
#include "windrow/mobile.hpp"

namespace windrow::test {

/// Every PE sends messages to some of the same few objects at once, in any order, while these move and are
/// visited: each message is handled once, with its objects for itself.
void run_random_multicasts(job&, std::uint64_t seed, handlers where);

} // namespace windrow::test
