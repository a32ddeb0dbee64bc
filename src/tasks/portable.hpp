// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
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
  std::atomic<std::uint32_t> hungry;             ///< PEs that say so, and requests that stand here
  std::atomic<std::uint32_t> standing;           ///< these requests alone
  // Of a PE of another host.
  alignas(64) std::atomic<std::uint32_t> asks; ///< its request stands here
  portable_queue<portable_task, 2048> queue;
};
static_assert(sizeof(portable_room) <= transport::task_bytes);

/// Tasks that were taken from another PE.
struct stolen_tasks {
  pe_t from = -1;
  std::vector<portable_task> all; ///< oldest first
};

class requests;

/// What the PE's own thread is to do for other hosts.
enum class errand : std::uint8_t {
  announce = 1, ///< this PE has started the first portable task of its host
  offer = 2,    ///< there are tasks for PEs whose requests stand here
  ask = 4,      ///< for tasks, when there are none on this host
};

/// The portable tasks of this PE's host, as this PE sees them.
class portable_tasks {
 public:
  explicit portable_tasks(pgas::core&);
  ~portable_tasks();
  portable_tasks(const portable_tasks&) = delete;
  portable_tasks& operator=(const portable_tasks&) = delete;

  /// Others may take tasks.
  bool shared() const { return shared_; }
  /// A PE of this host has started one, or one of another host that has told this one. Where nobody may take
  /// it, that memory is not touched.
  bool in_use() const { return shared() && host_.in_use.load(std::memory_order_seq_cst) != 0; }
  /// Never in a job on one host.
  bool has_errands() const { return errands_.load(std::memory_order_seq_cst) != 0; }

  // On any worker.

  /// False: there is no room. Wakes a PE that hungers.
  bool push(const portable_task&);
  /// The newest of this PE.
  bool take(portable_task& to) { return shared() && mine().queue.take(to); }
  /// Half of the nearest other PE that has any.
  stolen_tasks steal();
  /// For another host: half of the nearest PE that has more than one, of this one if it does.
  stolen_tasks take_for_others();
  /// How many that would find, one look after the other.
  std::uint32_t left_for_others() const;
  /// There are some, here or where this PE steals.
  bool any() const;

  // On the PE's own thread.

  /// From now on who has some wakes this PE.
  void wake_when_any() { mine().hunger.say(host_.hungry); }
  void need_not_wake() {
    if (shared()) mine().hunger.still(host_.hungry);
  }
  /// What this PE has taken it still runs.
  void steal_no_more();
  bool steals() const { return steals_.load(std::memory_order_relaxed); }
  /// Null in a job on one host.
  requests* other_hosts() { return requests_.get(); }
  /// Any thread.
  void remember(errand e) { errands_.fetch_or(static_cast<std::uint8_t>(e), std::memory_order_seq_cst); }
  /// True if it was remembered.
  bool forget(errand e) {
    const auto bit = static_cast<std::uint8_t>(e);
    return (errands_.load(std::memory_order_relaxed) & bit) != 0 &&
           (errands_.fetch_and(static_cast<std::uint8_t>(~bit), std::memory_order_seq_cst) & bit) != 0;
  }
  /// There are portable tasks: from now on PEs of this host look for some.
  void begin_use_here();

 private:
  struct neighbour {
    pe_t pe;
    portable_room* room;
  };

  static constexpr std::uint32_t most_stolen = 512; ///< the owner waits meanwhile
  static constexpr std::uint32_t most_sent = 256;   ///< to another host at a time
  static constexpr std::uint32_t least_shared = 2;  ///< a queue keeps half of so many when another host asks

  static std::vector<neighbour> neighbours(pgas::core&);
  portable_room& mine() const { return *near_.front().room; }
  static stolen_tasks steal_from(const neighbour&, std::uint32_t most);
  void begin_use();
  void wake_one();

  pgas::core& core_;
  std::vector<neighbour> near_; ///< PEs of this host: this one, then the next one, and so on
  portable_room& host_;
  std::unique_ptr<requests> requests_;
  const bool shared_;
  std::atomic<bool> steals_ = true;
  std::atomic<std::uint8_t> errands_ = 0;
};

portable_room& room_of(pgas::core&, pe_t);

} // namespace windrow::tasks
