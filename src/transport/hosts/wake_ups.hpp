// SPDX-License-Identifier: BSD-3-Clause
// Whom the agent wakes.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "transport/host/host_memory.hpp"

namespace windrow::transport {

/// PEs of other processes are woken at once. This one's, which takes the agent's turns while it waits, would
/// find one under way, and where they share a processor could only sleep again: it is woken after the turn.
class wake_ups {
 public:
  /// `own`: this process's PE, or -1 if all are to be woken at once.
  wake_ups(const host_memory& memory, pe_t own) : memory_(memory), own_(own) {}

  /// Gives a request that was sent its last phase, and wakes who sleeps on it; that PE counts as awake from
  /// now on.
  void settle(request&, request_phase);
  /// Wakes `pe` if it sleeps.
  void ring(pe_t pe);

  /// A turn begins: nobody has been woken in it.
  void begin() { any_ = false; }
  bool any() const { return any_; }

  using words = std::vector<const std::atomic<std::uint32_t>*>;
  /// The words on which threads of this process sleep that are to be woken now.
  words take_late() { return std::exchange(late_, {}); }
  static void wake(const words&);

 private:
  void wake(pe_t pe, const std::atomic<std::uint32_t>& word);

  host_memory memory_;
  pe_t own_;
  bool any_ = false;
  words late_;
};

} // namespace windrow::transport
