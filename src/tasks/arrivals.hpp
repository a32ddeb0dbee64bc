// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace windrow::tasks {

/// What others give to one worker: a stack that its owner empties as a whole, of items linked by `next`.
/// tests/models/sleep_model.cpp checks it.
template <class T>
class arrivals {
 public:
  /// By any thread; sequentially consistent, so that the caller may look next whether the owner sleeps.
  void add(T& one) {
    one.next = newest_.load(std::memory_order_relaxed);
    while (!newest_.compare_exchange_weak(one.next, &one, std::memory_order_seq_cst)) {
    }
  }
  /// Some have come, perhaps lately unseen.
  bool any_seen() const { return newest_.load(std::memory_order_relaxed) != nullptr; }
  /// For an owner that is about to sleep.
  bool any() const { return newest_.load(std::memory_order_seq_cst) != nullptr; }
  /// By the owner: all, the newest first.
  T* take_all() { return newest_.exchange(nullptr, std::memory_order_acquire); }

 private:
  std::atomic<T*> newest_ = nullptr;
};

} // namespace windrow::tasks
