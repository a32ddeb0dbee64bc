// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

namespace windrow::tasks {

/// What any worker of a PE may take, in the order in which it was put here; linked by `next`. Any thread.
/// tests/models/sleep_model.cpp checks it, and notes.
template <class T>
class shared_queue {
 public:
  /// The caller may look next whether there is a note, and whether anybody sleeps.
  void add(T& one) {
    const std::scoped_lock lock(mutex_);
    one.next = nullptr;
    (size() == 0 ? first_ : last_->next) = &one;
    last_ = &one;
    size_.fetch_add(1, std::memory_order_seq_cst);
  }
  /// The first one, or null.
  T* take() {
    if (!any()) return nullptr;
    const std::scoped_lock lock(mutex_);
    if (!any()) return nullptr;
    size_.fetch_sub(1, std::memory_order_seq_cst);
    return std::exchange(first_, first_->next);
  }
  bool any() const { return size() > 0; }
  std::int64_t size() const { return size_.load(std::memory_order_seq_cst); }

 private:
  std::mutex mutex_;
  T* first_ = nullptr;
  T* last_ = nullptr;
  std::atomic<std::int64_t> size_ = 0;
};

/// That one worker is to look into a queue: README.md, "Priorities".
class note {
 public:
  /// Behind what has been put there. False: there is one that the worker has not come to.
  bool write() { return !there_.exchange(true, std::memory_order_seq_cst); }
  /// By the worker, before it looks.
  void take_back() { there_.store(false, std::memory_order_seq_cst); }

 private:
  std::atomic<bool> there_ = false;
};

} // namespace windrow::tasks
