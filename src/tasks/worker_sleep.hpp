// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "os/futex.hpp"

namespace windrow::tasks {

/// How one worker sleeps. Who makes something true writes it, then looks whether anybody sleeps; who goes to
/// sleep says so, then looks once more: README.md, "Who wakes whom". tests/models/sleep_model.cpp checks it.
class worker_sleep {
 public:
  /// By the worker: sleeps until woken, `longest()` at most, unless `found()` finds something once others can
  /// see that it sleeps. `thieves`: where it is counted if it would steal, or null.
  template <class Found, class Longest>
  void unless(Found found, Longest longest, std::atomic<int>* thieves) {
    const auto ticket = bell_.load(std::memory_order_seq_cst);
    rest_.store(thieves != nullptr ? rest::for_any : rest::for_own, std::memory_order_seq_cst);
    if (thieves != nullptr) thieves->fetch_add(1, std::memory_order_seq_cst);
    if (!found()) os::futex_wait(bell_, ticket, longest());
    rest_.store(rest::awake, std::memory_order_seq_cst);
    if (thieves != nullptr) thieves->fetch_sub(1, std::memory_order_seq_cst);
  }

  // On any thread. What is waited for must have been written before, with sequential consistency.

  bool sleeps() const { return rest_.load(std::memory_order_seq_cst) != rest::awake; }
  /// Wakes it if it sleeps.
  void wake() { wake_from(rest_.load(std::memory_order_seq_cst)); }
  /// Wakes it if it sleeps and would steal; true if so.
  bool wake_thief() {
    const auto seen = rest_.load(std::memory_order_seq_cst);
    return seen == rest::for_any && wake_from(seen);
  }
  /// Wakes one of `workers` that would steal, if any sleeps; true if so.
  template <class Workers>
  static bool wake_one_of(const std::atomic<int>& thieves, const Workers& workers) {
    if (thieves.load(std::memory_order_seq_cst) > 0)
      for (const auto& w : workers)
        if (w->wake_thief()) return true;
    return false;
  }

 private:
  enum class rest : std::uint8_t {
    awake,
    for_any, ///< sleeps, and would steal
    for_own, ///< sleeps, and only what it waits for matters
  };

  // Of those that wake it, one rings.
  bool wake_from(rest seen) {
    if (seen == rest::awake || !rest_.compare_exchange_strong(seen, rest::awake, std::memory_order_seq_cst))
      return false;
    bell_.fetch_add(1, std::memory_order_seq_cst);
    os::futex_wake(bell_);
    return true;
  }

  std::atomic<rest> rest_ = rest::awake;
  std::atomic<std::uint32_t> bell_ = 0;
};

} // namespace windrow::tasks
