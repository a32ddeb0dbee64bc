// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/job.hpp"
#include "windrow/mobile.hpp"

namespace windrow::test {

/// A random program with objects that move all the time. Each object counts what it gets from each PE: every
/// message once, in the order in which that PE has sent it, and none beside one that needs the object alone.
void run_random_objects(job&, std::uint64_t seed, handlers where = handlers::on_own_thread);

} // namespace windrow::test
