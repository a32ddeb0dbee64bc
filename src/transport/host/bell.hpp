// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "os/futex.hpp"

namespace windrow::transport {

/// What the threads of a PE sleep on until another PE rings, which costs it one load while nobody sleeps. The
/// protocol is Dekker's: a thread that sleeps counts itself in and then looks once more at what it waits for;
/// one that rings has written that before, with sequential consistency, and then looks whether anybody
/// sleeps. tests/models/bell_model.cpp checks it.
class bell {
 public:
  /// Announces sleep; returns what `sleep` needs. Then the caller looks once more, and sleeps or cancels.
  std::uint32_t prepare() {
    const auto ticket = rung_.load(std::memory_order_seq_cst);
    count_in();
    return ticket;
  }
  void cancel() { count_out(); }
  /// Sleeps until rung after `prepare`, at most `limit`, which is over if it returns early.
  template <class Duration>
  void sleep(std::uint32_t ticket, Duration limit) {
    os::futex_wait(rung_, ticket, limit);
    count_out();
  }
  bool was_rung_after(std::uint32_t ticket) const { return rung_.load(std::memory_order_seq_cst) != ticket; }

  /// True if somebody sleeps or is about to: nobody falls asleep on the old tickets any more, and who does
  /// already is to be woken by `futex_wake(word())`.
  bool announce() {
    if (sleepers_.load(std::memory_order_seq_cst) == 0) return false;
    rung_.fetch_add(1, std::memory_order_seq_cst);
    return true;
  }
  /// Wakes all sleepers; true if there may have been any.
  bool ring() {
    if (!announce()) return false;
    os::futex_wake(rung_);
    return true;
  }

  /// For threads that sleep on another word, so that they count as asleep too.
  void count_in() { sleepers_.fetch_add(1, std::memory_order_seq_cst); }
  void count_out() { sleepers_.fetch_sub(1, std::memory_order_seq_cst); }
  bool has_sleepers() const { return sleepers_.load(std::memory_order_relaxed) != 0; }
  const std::atomic<std::uint32_t>& word() const { return rung_; }

 private:
  std::atomic<std::uint32_t> rung_;
  std::atomic<std::uint32_t> sleepers_;
};

} // namespace windrow::transport
