// SPDX-License-Identifier: BSD-3-Clause
// Turns of simulated PEs: one runs at a time, in the order of their clocks.
#pragma once

#include <cstdint>
#include <optional>

#include "transport/host/host_memory.hpp"
#include "transport/sim/pe_fibers.hpp"

namespace windrow::transport {

/// This PE's part in the order of turns, which is kept in memory that all PEs share: threads or processes.
/// Only the PE whose turn it is calls anything but `join`. PEs that are ready wait in a queue for the moment
/// at which they go on, the earliest first, at the same moment that with the lowest number; so the order of
/// turns is the same in every run.
class turns {
 public:
  /// In the PE that it is for: among `pe_fibers`, or on its own thread.
  turns(const host_memory&, pe_t self);

  /// Waits until all PEs have joined and it is this PE's turn. PE 0 begins.
  void join();
  /// Before this PE goes on at `now_ps`: lets all others run whose moment is earlier, by `slack_ps` at least.
  void await(std::uint64_t now_ps, std::uint64_t slack_ps);
  /// Lets others run until somebody wakes this PE, at the latest until `due_ps`. Returns the moment. If that
  /// can never be, because all sleep, returns `now_ps`, and `stuck` says so.
  std::uint64_t sleep(std::uint64_t now_ps, std::optional<std::uint64_t> due_ps);
  /// If `pe` sleeps, it goes on at `at_ps`, or earlier.
  void wake(pe_t pe, std::uint64_t at_ps);
  /// The last turn of this PE ends.
  void leave();

  /// The moment of the first PE in the queue.
  std::optional<std::uint64_t> next_ps() const;
  bool stuck() const { return memory_.sim().stuck != 0; }
  bool has_left() const { return left_; }

 private:
  void enqueue(pe_t, std::uint64_t due_ps);
  pe_t dequeue();
  void rise(std::uint32_t position);
  void sink(std::uint32_t position);
  void put(std::uint32_t position, pe_t);
  pe_t at(std::uint32_t position) const {
    return static_cast<pe_t>(memory_.place(static_cast<pe_t>(position)).entry);
  }
  bool before(pe_t a, pe_t b) const;
  void share_processor();
  void await_others() const;
  void give_turn(pe_t);
  void hand_over();
  void await_turn();
  bool let_sleepers_look(std::uint64_t now_ps);

  host_memory memory_;
  pe_t self_;
  pe_fibers* fibers_; ///< null: each PE has a thread
  bool left_ = false;
};

} // namespace windrow::transport
