// SPDX-License-Identifier: BSD-3-Clause
// Lets an owner change its memory with plain instructions while nobody else changes it with atomic ones.
#pragma once

#include <atomic>
#include <cstdint>

#include "pgas/thread_applies.hpp"
#include "transport/host/host_memory.hpp"
#include "windrow/detail/memory_map.hpp"

namespace windrow::pgas {

/// Held by an owner while it works on one block. `exclusive()` tells whether plain instructions will do. The
/// protocol is Dekker's: the owner says "applying" and then looks for announcements; who announces then looks
/// for owners applying. tests/models/gate_model.cpp checks it.
class applying {
 public:
  explicit applying(transport::host_memory& memory, pe_t owner) : word_(memory.control(owner).applying) {
    word_.exchange(1, std::memory_order_seq_cst);
    exclusive_ = memory.job().direct_atomics.load(std::memory_order_seq_cst) == 0;
    if (exclusive_)
      this_thread_applies = true;
    else
      word_.store(0, std::memory_order_release); // nobody needs to wait for atomic instructions
  }
  ~applying() {
    if (!exclusive_) return;
    this_thread_applies = false;
    word_.store(0, std::memory_order_release);
  }
  applying(const applying&) = delete;
  applying& operator=(const applying&) = delete;

  bool exclusive() const { return exclusive_; }

 private:
  std::atomic<std::uint32_t>& word_;
  bool exclusive_;
};

/// Takes back `announce_atomics`: this PE has no direct atomic operation under way. Called when aggregated
/// operations are completed collectively, because only they profit.
void withdraw_atomics(detail::memory_map&);

/// Decides when a PE that goes on with aggregated operations takes its announcement back before they are
/// completed: a program that used direct atomic operations once would else slow down all owners up to its
/// next completion. If direct ones come again, each time takes twice as long, so that a program that mixes
/// both does not announce for ever.
class early_withdrawal {
 public:
  /// To be called for each full block that leaves, while no direct atomic operation is under way.
  void block_leaves(detail::memory_map&);
  /// A new phase begins.
  void reset() { left_ = blocks_until_withdrawal_ = 1; }

 private:
  std::uint32_t blocks_until_withdrawal_ = 1; ///< blocks that leave before the announcement is taken back
  std::uint32_t left_ = 1;                    ///< of those
};

} // namespace windrow::pgas
