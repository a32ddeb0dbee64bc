// SPDX-License-Identifier: BSD-3-Clause
// Where PEs of a host take tasks from each other: memory that they share, which is zero at first. README.md
// has the protocol, tests/models/portable_model.cpp checks it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "os/cpu.hpp"

namespace windrow::tasks {

/// The tasks of a PE, under a lock. Its workers add and take the newest, other PEs take the oldest.
template <class T, std::uint32_t Capacity>
class portable_queue {
 public:
  /// False: it is full. Sequentially consistent, so that the caller may look next whether somebody hungers.
  bool push(const T& item) {
    const holding lock(locked_);
    const auto count = count_.load(std::memory_order_relaxed);
    if (count == Capacity) return false;
    slots_[(first_ + count) % Capacity] = item;
    count_.store(count + 1, std::memory_order_seq_cst);
    return true;
  }

  /// The newest; false if there is none.
  bool take(T& to) {
    if (size() == 0) return false;
    const holding lock(locked_);
    const auto count = count_.load(std::memory_order_relaxed);
    if (count == 0) return false;
    to = slots_[(first_ + count - 1) % Capacity];
    count_.store(count - 1, std::memory_order_relaxed);
    return true;
  }

  /// The older half, at most `most`; returns how many. In a tree these have most below them.
  std::uint32_t steal(T* to, std::uint32_t most) {
    const holding lock(locked_);
    const auto count = count_.load(std::memory_order_relaxed);
    const auto taken = std::min(count - count / 2, most);
    for (std::uint32_t i = 0; i < taken; ++i) to[i] = slots_[(first_ + i) % Capacity];
    first_ = (first_ + taken) % Capacity;
    count_.store(count - taken, std::memory_order_relaxed);
    return taken;
  }

  /// How many are here, or were a moment ago.
  std::uint32_t size() const { return count_.load(std::memory_order_relaxed); }
  /// Whether there are any, read with sequential consistency: for a PE that has said that it hungers, and may
  /// go to sleep.
  bool any() const { return at_once() != 0; }
  std::uint32_t at_once() const { return count_.load(std::memory_order_seq_cst); }

 private:
  /// Holds the lock, whose holder may have been interrupted, hence the yields.
  class holding {
   public:
    explicit holding(std::atomic<std::uint32_t>& locked) : locked_(locked) {
      for (int turn = 0; locked_.exchange(1, std::memory_order_acquire) != 0; ++turn)
        turn < 64 ? os::pause() : os::yield();
    }
    ~holding() { locked_.store(0, std::memory_order_release); }
    holding(const holding&) = delete;
    holding& operator=(const holding&) = delete;

   private:
    std::atomic<std::uint32_t>& locked_;
  };

  alignas(64) std::atomic<std::uint32_t> locked_ = 0;
  std::atomic<std::uint32_t> count_ = 0; ///< changes under the lock
  std::uint32_t first_ = 0;              ///< where the oldest is
  alignas(64) T slots_[Capacity];
};

/// Whether a PE has found no tasks and may sleep. `all` counts those of the host that do: never too
/// few, so one look at it tells who adds a task that nobody need be woken.
class hunger {
 public:
  using counter = std::atomic<std::uint32_t>;

  /// By who has added a task: whether somebody may have to be woken.
  static bool anybody(const counter& all) { return all.load(std::memory_order_seq_cst) != 0; }
  /// By one thread of the PE, which then looks once more.
  void say(counter& all) {
    if (says_.load(std::memory_order_seq_cst) != 0) return;
    all.fetch_add(1, std::memory_order_seq_cst);
    says_.store(1, std::memory_order_seq_cst);
  }
  /// By who has found a task, or is about to wake the PE since there is one: true if it did hunger.
  bool still(counter& all) {
    if (says_.load(std::memory_order_seq_cst) == 0 || says_.exchange(0, std::memory_order_seq_cst) == 0)
      return false;
    all.fetch_sub(1, std::memory_order_seq_cst);
    return true;
  }

 private:
  std::atomic<std::uint32_t> says_ = 0;
};

} // namespace windrow::tasks
