// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace windrow::os {

/// Sleeps while `word` holds `expected`, until woken, at most `limit`. May return early: callers look again.
/// `word` may be in memory shared by processes.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                std::chrono::nanoseconds limit);

/// Wakes everybody who sleeps on `word`.
void futex_wake(const std::atomic<std::uint32_t>& word);

} // namespace windrow::os
