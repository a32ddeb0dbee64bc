// SPDX-License-Identifier: BSD-3-Clause
// The aggregation engine: every small message of a PE goes through it. README.md has the protocol.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "aggregate/activity.hpp"
#include "aggregate/deferred_work.hpp"
#include "aggregate/run.hpp"
#include "pgas/atomics_gate.hpp"
#include "pgas/core.hpp"
#include "windrow/detail/lanes.hpp"
#include "windrow/team.hpp"

namespace windrow::aggregation {

class engine final : public lanes, public pgas::progress_source {
 public:
  explicit engine(pgas::core&);
  ~engine() override;

  /// Adds a user-defined kind of run. Collective in effect: all PEs add and remove kinds in the same order,
  /// and nobody sends one before all have added it. The number may be one that was removed before.
  kind_id add_kind(const kind_entry&);
  /// Of a kind of which nothing is under way to or from any PE. Its number will be used again.
  void remove_kind(kind_id);
  /// Of a kind that an exception has left: what is under way to this PE is dropped when it arrives, now and
  /// later, so its number is not used again. Local.
  void abandon_kind(kind_id);

  /// What `complete_own` and `quiesce` wait for besides messages; null: nothing.
  void attach(activity* a) { activity_ = a; }
  /// The continuations of fetching operations, which `complete_own` and `quiesce` run and wait for.
  void attach(deferred_work* d, deferral::continuations* inlined, deferral::closure_queue* answers) {
    deferred_ = d;
    continuations_ = inlined;
    answers_ = answers;
  }

  /// Sends what is there if nothing is under way, and waits until an answer has come that deferred work waits
  /// for, or all have come. False if there is nothing to wait for.
  bool await_answer();

  /// Returns when all items this PE has sent were handled at their owners, all replies are here, and the
  /// attached activity is idle.
  /// `what` is shown if that takes suspiciously long.
  void complete_own(pgas::wait_reason what);
  /// Collective over `members`: returns when all items that any of them sent, and all that handlers sent in
  /// turn, have been handled, and no attached activity is under way.
  void quiesce(const team& members, pgas::wait_reason what);
  /// Returns once `done()` is true, which others make so. Until then what this PE has sent leaves, be the
  /// block full or not, and deferred code runs: the others may wait for it.
  template <class Done>
  void wait_for_value(Done done) {
    constexpr pgas::wait_reason reason{transport::wait_kind::value};
    if (several_threads()) return core_.wait(reason, done);
    const waiting until_done(*this, true);
    core_.wait(reason, done);
  }
  /// The same for who looks again and again without waiting. False if there was nothing to do.
  bool progress_of_waiting();
  /// To be called when the segments have grown (core::adopt).
  void measure_reach();
  /// Every later operation is an error.
  void close();
  /// The same in a process that the PE has forked: the blocks that are being filled are the PE's.
  void close_in_child();

  /// Numbers for contexts, for diagnosis.
  std::uint32_t next_number() { return ++numbered_; }

  /// Whether a load from any PE's memory is a plain load here, so that asking its owner would only cost. Not
  /// where PEs are at a distance.
  bool loads_directly() const { return loads_directly_; }

  /// Whether updates are best carried out at once: this PE is the only one, and its memory fits the caches.
  /// Of larger memory, batches with their prefetching are faster even for a PE alone.
  bool updates_own_memory() const;

  bool progress() override;
  void describe(transport::wait_record&) const override;

 private:
  friend class lanes;

  struct open_run {
    kind_id kind;
    run_header* header;
  };
  /// What is being filled for one PE.
  struct lane {
    transport::block* filling = nullptr;
    std::byte* notes = nullptr;  ///< of `filling`, made when first needed
    std::uint32_t used = 0;      ///< bytes of the payload given to runs
    bool spilling = false;       ///< `filling` is private memory, waiting for a shared block
    std::uint32_t in_flight = 0; ///< blocks sent to this PE and not yet home
    std::vector<open_run> open;  ///< few: one per kind in use
  };
  /// A block that handlers filled while no shared one was free.
  struct spilled_block {
    transport::block* content;
    std::byte* notes;
    pe_t to;
    block_mark mark;
  };

  /// While it lives, this PE has nothing to send by itself, but for what its deferred code may send.
  class waiting {
   public:
    waiting(engine& e, bool runs_deferred)
        : engine_(e),
          sent_(std::exchange(e.sends_early_, true)),
          ran_(std::exchange(e.runs_deferred_, runs_deferred)) {}
    ~waiting() {
      engine_.sends_early_ = sent_;
      engine_.runs_deferred_ = ran_;
    }
    waiting(const waiting&) = delete;
    waiting& operator=(const waiting&) = delete;

   private:
    engine& engine_;
    bool sent_;
    bool ran_;
  };

  const kind_entry& entry(kind_id kind) const {
    if (kind >= first_own_function)
      return kind == function_kind ? called_functions : functions_[kind - first_own_function];
    return kind < builtin_kinds ? builtin_kind(kind) : user_kinds_[kind - builtin_kinds];
  }

  // Sending.
  void poll();
  void ensure_writers(kind_id);
  bool grow(lane&, kind_id, writer&, std::uint32_t bytes);
  bool open(lane&, pe_t to, kind_id, std::uint64_t operand, std::uint32_t least);
  std::byte* notes_for(lane&);
  void close_run(lane&, kind_id, pe_t to);
  void finish_run(lane&, const open_run&, pe_t to);
  void new_block(lane&, pe_t to);
  transport::block* free_block(pe_t to);
  void send(lane&, pe_t to, bool full);
  void commit(transport::block*, pe_t to, block_mark);
  void send_all();
  bool send_early();
  bool run_deferred_early();

  // Receiving.
  void handle(transport::block*);
  void come_home(transport::block*);
  template <class Visit>
  void for_each_run(transport::block*, Visit);

  // Spilling.
  transport::block* spare_block();
  bool drain_spill();

  /// Then another thread may be in here while this one waits.
  bool several_threads() const { return core_.map().keep_announced; }
  bool all_home() const { return in_flight_ == 0 && spill_.empty(); }

  // What else is under way.
  bool is_idle() const {
    return (activity_ == nullptr || activity_->idle()) && !(deferred_ && deferred_->pending());
  }
  bool is_ready() const {
    return (activity_ != nullptr && activity_->ready()) || (deferred_ && deferred_->ready());
  }
  void run_ready();
  void wait_for_end(pgas::wait_reason);
  std::uint64_t sum_of_started(const team& members);
  std::uint64_t started() const;

  pgas::core& core_;
  transport::transport& link_;
  kind_id reuse_kind(const kind_entry&);
  void close_kind(kind_id);
  writer*& writers(kind_id kind) {
    return kind < builtin_kinds ? builtin_[kind] : user_writers_[kind - builtin_kinds];
  }
  void add_function(std::uint32_t number, const remote_function&);

  std::vector<writer*> user_writers_;                   ///< what lanes::user_ points to
  std::vector<std::unique_ptr<writer[]>> writer_store_; ///< by kind
  std::unique_ptr<writer[]> closed_writers_;            ///< of all kinds not in use
  std::vector<kind_entry> user_kinds_;
  std::vector<kind_id> free_kinds_;                         ///< the one that was removed last is used first
  std::vector<kind_entry> functions_;                       ///< by number of the function
  std::vector<std::unique_ptr<writer[]>> function_writers_; ///< the same
  std::vector<writer*> function_table_;                     ///< what lanes::functions_ points to
  std::vector<lane> lanes_;
  std::vector<pe_t> filling_;                       ///< PEs whose lane has a block
  std::vector<std::unique_ptr<std::byte[]>> notes_; ///< by pool index
  std::vector<bool> has_notes_;                     ///< the block in flight holds fetching runs
  std::vector<block_mark> marks_;                   ///< of the block in flight, by pool index
  std::deque<spilled_block> spill_;
  std::size_t spill_limit_blocks_;
  std::uint32_t in_flight_ = 0;
  std::uint32_t numbered_ = 0;
  pgas::early_withdrawal withdrawal_;
  bool sends_early_ = false;   ///< what handlers send leaves when nothing arrives, be the block full or not
  std::uint32_t given_ = 0;    ///< bytes that runs got since the inbox was looked at
  bool runs_deferred_ = false; ///< deferred code runs as soon as it can
  activity* activity_ = nullptr;
  deferred_work* deferred_ = nullptr;
  bool loads_directly_;
  bool updates_directly_;
};

} // namespace windrow::aggregation
