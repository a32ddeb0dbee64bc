// SPDX-License-Identifier: BSD-3-Clause
// Futexes as those of the model's words. Included behind the headers that declare them.
#pragma once

#include <chrono>
#include <cstdint>

namespace model::windrow::os {

void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::chrono::nanoseconds) {
  word.sleep_while(expected);
}
void futex_wake(const std::atomic<std::uint32_t>& word) {
  word.wake_all();
}

} // namespace model::windrow::os
