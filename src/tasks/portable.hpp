// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "pgas/core.hpp"
#include "tasks/portable_queue.hpp"
#include "transport/host/host_memory.hpp"
#include "windrow/detail/task.hpp"

namespace windrow::tasks {

/// What a PE has in the memory of its host for tasks that others may take.
struct portable_room {
  alignas(64) windrow::tasks::hunger hunger;
  // Of the host, in the room of its first PE.
  alignas(64) std::atomic<std::uint32_t> in_use; ///< a PE has started one
  std::atomic<std::uint32_t> hungry;             ///< PEs that say so
  portable_queue<portable_task, 2048> queue;
};
static_assert(sizeof(portable_room) <= transport::task_bytes);

/// Tasks that were taken from another PE.
struct stolen_tasks {
  pe_t from = -1;
  std::vector<portable_task> all; ///< oldest first
};

/// The portable tasks of this PE's host, as this PE sees them.
class portable_tasks {
 public:
  explicit portable_tasks(pgas::core&);

  /// Others may take tasks.
  bool shared() const { return near_.size() > 1; }
  /// A PE of this host has started one. Where nobody may take it, that memory is not touched.
  bool in_use() const { return shared() && host_.in_use.load(std::memory_order_seq_cst) != 0; }

  // On any worker.

  /// False: there is no room. Wakes a PE that hungers.
  bool push(const portable_task&);
  /// The newest of this PE.
  bool take(portable_task& to) { return shared() && mine().queue.take(to); }
  /// Half of the nearest other PE that has any.
  stolen_tasks steal();
  /// There are some, here or where this PE steals.
  bool any() const;

  // On the PE's own thread.

  /// From now on who has some wakes this PE.
  void wake_when_any() { mine().hunger.say(host_.hungry); }
  void need_not_wake() {
    if (shared()) mine().hunger.still(host_.hungry);
  }
  /// What this PE has taken it still runs.
  void steal_no_more() { steals_.store(false, std::memory_order_relaxed); }

 private:
  struct neighbour {
    pe_t pe;
    portable_room* room;
  };

  static constexpr std::uint32_t most_stolen = 512; ///< the owner waits meanwhile

  portable_room& mine() const { return *near_.front().room; }
  void begin_use();
  void wake_one();

  pgas::core& core_;
  std::vector<neighbour> near_; ///< PEs of this host: this one, then the next one, and so on
  portable_room& host_;
  std::atomic<bool> steals_ = true;
};

} // namespace windrow::tasks
