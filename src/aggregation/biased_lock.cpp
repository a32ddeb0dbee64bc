// SPDX-License-Identifier: BSD-3-Clause
#include "aggregation/biased_lock.hpp"

#include "os/cpu.hpp"
#include "os/process_fence.hpp"

namespace windrow::aggregation {

void biased_lock::lock_slowly() {
  for (;;) {
    if ((state_.load(std::memory_order_relaxed) & fences) != 0)
      std::atomic_thread_fence(std::memory_order_seq_cst);
    if ((state_.load(std::memory_order_acquire) & taken) == 0) return;
    held_.store(false, std::memory_order_release);
    while ((state_.load(std::memory_order_acquire) & taken) != 0) os::yield();
    held_.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
}

void biased_lock::take(std::span<biased_lock* const> locks) {
  if (locks.empty()) return;
  for (auto* const l : locks) l->state_.fetch_or(taken, std::memory_order_seq_cst);
  if (os::can_fence_all_threads())
    os::fence_all_threads();
  else
    std::atomic_thread_fence(std::memory_order_seq_cst);
  for (auto* const l : locks)
    while (l->held_.load(std::memory_order_acquire)) os::yield();
}

void biased_lock::give_back(std::span<biased_lock* const> locks) {
  for (auto* const l : locks) l->state_.fetch_and(~taken, std::memory_order_release);
}

} // namespace windrow::aggregation
