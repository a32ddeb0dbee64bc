// SPDX-License-Identifier: BSD-3-Clause
// What one thread of a PE is filling: its lanes, and how they get room.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <type_traits>
#include <vector>

#include "aggregation/biased_lock.hpp"
#include "aggregation/block_pool.hpp"
#include "aggregation/run.hpp"
#include "aggregation/user_kinds.hpp"
#include "os/zeroed_array.hpp"
#include "pgas/atomics_gate.hpp"
#include "pgas/core.hpp"
#include "transport/block.hpp"
#include "windrow/detail/inline.hpp"
#include "windrow/detail/lanes.hpp"
#include "windrow/stats.hpp"

namespace windrow::aggregation {

class engine;

/// Whose a sender is.
enum class sender_of : std::uint8_t {
  pe,            ///< the PE's own thread; handlers and deferred code send by it too
  worker,        ///< another thread of the library, for tasks
  program_thread ///< one that the program has made, or its first one, where any thread may use the library
};

/// Everything here is for the sender's own thread, but for what is said to be for others. That of a program
/// thread holds `guard` meanwhile, and a thread that takes the guard from outside may act in its place.
class sender final : private room_source {
 public:
  /// `number`: of the PE's own thread 0, of workers from 1 on. `most_open`: lanes that may have a block at a
  /// time, at least one.
  sender(engine&, sender_of, int number, std::uint32_t most_open);

  lanes& items() { return items_; }
  counters& stats() { return stats_; }
  biased_lock& guard() { return guard_; }

  bool any_open() const { return !filling_.empty(); }
  /// Sends all open blocks, full or not.
  void send_all();
  /// Like `send_all`, but leaves out lanes that fill private blocks while earlier spilled blocks wait.
  /// Returns false if nothing was sent.
  bool send_early();
  /// Sends all open blocks, finishes loads, and acknowledges the current request to flush
  /// (`engine::ask_senders`).
  void flush();
  /// Returns when all items that it has sent were handled, and their replies are here.
  void complete(pgas::wait_reason what);
  /// This thread has nothing to do; what it had is flushed.
  void rest();
  void work_again() { rests_.store(false, std::memory_order_relaxed); }
  /// Of a program thread, without its guard, which has ended: flushes. Another one may have the sender then.
  void leave();
  /// The guard is taken, or no other thread is there. The engine ends: nothing is to be sent any more.
  void detach() { detached_.store(true, std::memory_order_relaxed); }
  bool is_vacant() const { return vacant_.load(std::memory_order_acquire); }
  void take_over() { vacant_.store(false, std::memory_order_relaxed); }
  /// Somebody waits for this sender to flush.
  bool is_asked() const;

  /// Of aggregated operations only.
  void begin_phase() { withdrawal_.reset(); }

  /// A run of that kind that is open is complete.
  void close_kind(kind_id);
  void measure_reach();
  void close();
  /// In a process that the PE has forked: the blocks that are being filled are the PE's.
  void close_in_child();

  // On any thread.

  /// Blocks that it has begun to fill so far.
  std::uint64_t begun() const { return begun_.load(std::memory_order_acquire); }
  /// Of these, those that are home.
  std::uint64_t home() const { return home_.load(std::memory_order_seq_cst); }
  std::uint32_t open() const { return open_.load(std::memory_order_relaxed); }
  std::uint64_t items_sent() const { return read(stats_.items_sent); }
  /// What it had when `request` was made has left.
  bool has_flushed(std::uint64_t request) const {
    return rests_.load(std::memory_order_acquire) || answered_.load(std::memory_order_acquire) >= request;
  }
  /// Adds what it has counted.
  void add_to(counters&) const;

  // For the pool.

  void block_is_home() { home_.store(home_.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst); }
  void spills(pe_t to) { lane_of(to).spilled.fetch_add(1, std::memory_order_relaxed); }
  void has_unspilled(pe_t to) { lane_of(to).spilled.fetch_sub(1, std::memory_order_release); }

 private:
  struct open_run {
    kind_id kind;
    run_header* header;
  };
  /// What is being filled for one PE.
  struct lane {
    transport::block* filling = nullptr;
    std::byte* notes = nullptr; ///< of `filling`, made when first needed
    std::uint32_t used = 0;     ///< bytes of the payload given to runs
    bool spilling = false;      ///< `filling` is private memory, waiting for a shared block
    /// Blocks in the spill; while there are any, no other one may leave.
    std::atomic<std::uint32_t> spilled = 0;
    std::vector<open_run> open; ///< few: one per kind in use
  };

  static std::uint64_t read(std::uint64_t& counter) {
    return std::atomic_ref(counter).load(std::memory_order_relaxed);
  }

  // For `items_`.
  writer& make_room(kind_id, pe_t to, std::uint64_t operand, std::uint32_t bytes) override;
  writer& make_room_for_call(const remote_function&, pe_t to, std::uint64_t argument) override;
  void close_run_of_call(const remote_function&, pe_t to) override;
  void close_stretch(pe_t to) override;
  std::uint64_t reachable_bytes() const override;
  [[noreturn]] void bad_target(pe_t to, std::uint64_t offset, std::size_t size) const override;
  void require_range(pe_t to, std::uint64_t offset, std::size_t bytes) const override;

  bool is_of_pe() const { return of_ == sender_of::pe; }
  lane& lane_of(pe_t to) {
    lane*& known = lanes_[static_cast<std::size_t>(to)];
    if (known == nullptr) [[unlikely]]
      known = &used_lanes_.emplace_back();
    return *known;
  }
  const kind_entry& entry(kind_id kind) const {
    if (kind >= first_own_function) return functions_[kind - first_own_function];
    return kind < builtin_kinds ? builtin_kind(kind) : kinds_.at(kind).entry;
  }
  writer& writer_of(kind_id kind, pe_t to) {
    if (kind >= first_own_function) return function_table_[kind - first_own_function][to];
    return (kind < builtin_kinds ? items_.builtin_[kind] : kinds_.writers_of(kind, number_))[to];
  }
  void make_writers(kind_id);
  void add_function(std::uint32_t number, const remote_function&);

  void poll();
  bool must_not_wait() const;
  template <class Done>
  void wait(pgas::wait_reason, Done);
  template <class Do>
  void without_guard(Do);

  WINDROW_INLINE bool grow(lane&, kind_id, writer&, std::uint32_t bytes);
  bool open(lane&, pe_t to, kind_id, std::uint64_t operand, std::uint32_t least);
  std::byte* notes_for(lane&);
  void close_run(lane&, kind_id, pe_t to);
  void close_if_open(lane&, kind_id, pe_t to);
  void finish_run(lane&, const open_run&, pe_t to);
  void new_block(lane&, pe_t to);
  transport::block* free_block(const lane&, pe_t to);
  void send(pe_t to, bool full);
  void count_loads();

  lanes items_;
  engine& engine_;
  pgas::core& core_;
  block_pool& pool_;
  user_kinds& kinds_;
  const sender_of of_;
  const int number_;
  const std::uint32_t most_open_;
  std::vector<writers_by_pe> builtin_writers_;  ///< by kind, made when first needed
  std::vector<kind_entry> functions_;           ///< by number of the function
  std::vector<writers_by_pe> function_writers_; ///< the same
  std::vector<writer*> function_table_;         ///< what lanes::functions_ points to
  os::zeroed_array<lane*> lanes_;               ///< by PE; null: not used yet
  std::deque<lane> used_lanes_;
  std::vector<pe_t> filling_;                           ///< PEs whose lane has a block, the oldest first
  std::uint32_t given_ = 0;                             ///< bytes that runs got since the last poll
  std::uint64_t counted_loads_ = 0, counted_bytes_ = 0; ///< those of `items_` that are in the counters
  pgas::early_withdrawal withdrawal_;
  counters own_stats_; ///< of all senders but the first
  counters& stats_;
  biased_lock guard_;
  std::atomic<bool> detached_ = false;
  std::atomic<bool> vacant_ = false;

  // Others read these.
  alignas(64) std::atomic<std::uint64_t> begun_ = 0;
  std::atomic<std::uint32_t> open_ = 0;
  std::atomic<bool> rests_ = true;
  std::atomic<std::uint64_t> answered_ = 0;         ///< the newest request that was there at a flush
  alignas(64) std::atomic<std::uint64_t> home_ = 0; ///< written by the PE's own thread
};

/// By which the calling thread sends where any thread may use the library; null if it has not sent yet. In
/// handlers that of the PE's own thread.
inline constinit thread_local sender* sender_of_program_thread = nullptr;

} // namespace windrow::aggregation
