// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "transport/host/host_memory.hpp"
#include "transport/hosts/other_hosts.hpp"

namespace windrow::pgas {

/// The team slots of one PE that no team uses. A slot that this PE has given back can be used again once all
/// other members of that team have given it back too: nobody then reads or waits for anything in it. See
/// README.md.
class team_slots {
 public:
  /// `remote_hosts` may be null.
  explicit team_slots(transport::other_hosts* remote_hosts) : remote_hosts_(remote_hosts) {}

  /// False: another team has it already.
  bool take(std::uint32_t id) {
    const std::lock_guard lock(guard_);
    const bool was_free = (free_ & bit(id)) != 0;
    free_ &= ~bit(id);
    return was_free;
  }
  /// Of a slot that was taken and not used.
  void give_back(std::uint32_t id) {
    const std::lock_guard lock(guard_);
    free_ |= bit(id);
  }

  /// Gives `id` back, which is `slot` of this PE. It is free as soon as `generation` is no longer `last`.
  void retire(std::uint32_t id, transport::team_slot& slot, const std::atomic<std::uint32_t>& generation,
              std::uint32_t last) {
    const std::lock_guard lock(guard_);
    retired_.push_back({id, &slot, &generation, last});
  }

  /// One bit for each slot that can be used now.
  std::uint64_t free() {
    const std::lock_guard lock(guard_);
    std::erase_if(retired_, [this](const retired& r) {
      const bool unused = r.generation->load(std::memory_order_acquire) != r.last;
      if (unused) make_free(r);
      return unused;
    });
    return free_;
  }

 private:
  static_assert(transport::max_teams == 64, "one bit of a word for each slot");

  static constexpr std::uint64_t bit(std::uint32_t id) { return std::uint64_t{1} << id; }

  struct retired {
    std::uint32_t id;
    transport::team_slot* slot;
    const std::atomic<std::uint32_t>* generation;
    std::uint32_t last;
  };

  /// The steps of the next team begin at 1 again. Its other members see the zeros, since this PE offers the
  /// slot to them only afterwards.
  void make_free(const retired& r) {
    for (auto& part : r.slot->parts) part.arrived.store(0, std::memory_order_relaxed);
    for (auto& b : r.slot->broadcasts) b.shown.store(0, std::memory_order_relaxed);
    r.slot->arrivals.store(0, std::memory_order_relaxed);
    for (auto& latest : r.slot->latest) {
      latest.last_ns.store(0, std::memory_order_relaxed);
      latest.last_but_one_ns.store(0, std::memory_order_relaxed);
    }
    if (remote_hosts_ != nullptr) remote_hosts_->reset(r.id);
    free_ |= bit(r.id);
  }

  transport::other_hosts* remote_hosts_;
  std::mutex guard_; ///< threads, and light threads of which one waits in a split, may use different teams
  std::uint64_t free_ = ~std::uint64_t{0};
  std::vector<retired> retired_;
};

} // namespace windrow::pgas
