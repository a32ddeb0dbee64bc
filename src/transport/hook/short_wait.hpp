// SPDX-License-Identifier: BSD-3-Clause
// How to let a time pass that is about as long as it takes to fall asleep and wake up.
#pragma once

#include <cstdint>

#include "os/cpu.hpp"

namespace windrow::transport {

/// A sleeper wakes up so much too late (Linux adds 50 us to a timed sleep by default).
inline constexpr std::uint64_t wake_up_ns = 80'000;
/// Shorter times pass awake.
inline constexpr std::uint64_t worth_sleeping_ns = 120'000;

/// A turn of waiting for a moment that is `left_ns` ahead. Lets other PEs of this processor run if there is
/// time for it.
inline void wait_shortly(std::uint64_t left_ns) {
  constexpr std::uint64_t worth_yielding_ns = 3'000;
  if (left_ns > worth_yielding_ns)
    os::yield();
  else
    os::pause();
}

} // namespace windrow::transport
