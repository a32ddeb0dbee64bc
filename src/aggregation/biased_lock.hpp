// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

namespace windrow::aggregation {

/// A lock that one thread, its owner, takes for every item it stores, and others almost never. The owner
/// stores and loads, without fence and without atomic read-modify-write; who takes it from outside fences all
/// threads instead (os/process_fence.hpp). README.md has the argument, tests/models/biased_lock_model.cpp
/// checks it. Not recursive.
class biased_lock {
 public:
  /// `owner_fences`: where nobody can fence other threads, the owner does so itself, each time.
  explicit biased_lock(bool owner_fences) : state_(owner_fences ? fences : 0) {}
  biased_lock(const biased_lock&) = delete;
  biased_lock& operator=(const biased_lock&) = delete;

  // By the owner. hot: four instructions for both.

  void lock() {
    held_.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst); // the compiler keeps the order, too
    if (state_.load(std::memory_order_acquire) != 0) [[unlikely]]
      lock_slowly();
  }
  void unlock() { held_.store(false, std::memory_order_release); }

  // By others, one at a time, for short.

  /// Returns when no owner holds one of these locks, nor will before `give_back`.
  static void take(std::span<biased_lock* const>);
  static void give_back(std::span<biased_lock* const>);

 private:
  static constexpr std::uint32_t fences = 1, taken = 2;

  void lock_slowly();

  std::atomic<bool> held_ = false; ///< by the owner
  std::atomic<std::uint32_t> state_;
};

} // namespace windrow::aggregation
