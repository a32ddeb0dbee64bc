// SPDX-License-Identifier: BSD-3-Clause
// How to let a time pass that is about as long as it takes to fall asleep and wake up.
#pragma once

#include <cstdint>

#include "os/cpu.hpp"

namespace windrow::transport {

/// A sleeper wakes up so much too late, or less (os::sleep_precisely).
inline constexpr std::uint64_t wake_up_ns = 60'000;
/// Shorter times pass awake.
inline constexpr std::uint64_t worth_sleeping_ns = 80'000;

/// A turn of waiting for a moment that is near. Yielding costs a whole time slice where anything else wants
/// to run, so only PEs that share a processor with others of the job do that.
inline void wait_shortly(bool shares_processor) {
  if (shares_processor)
    os::yield();
  else
    os::pause();
}

} // namespace windrow::transport
