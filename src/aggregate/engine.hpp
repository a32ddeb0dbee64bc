// SPDX-License-Identifier: BSD-3-Clause
// The aggregation engine: every small message of a PE goes through it. README.md has the protocol.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "aggregate/reply_receiver.hpp"
#include "aggregate/run.hpp"
#include "aggregate/work_source.hpp"
#include "pgas/atomics_gate.hpp"
#include "pgas/core.hpp"
#include "windrow/detail/lanes.hpp"
#include "windrow/team.hpp"

namespace windrow::aggregation {

class engine final : public pgas::progress_source, private room_source {
 public:
  explicit engine(pgas::core&);
  ~engine() override;

  /// Where this PE's items are stored.
  lanes& items() { return items_; }

  /// Adds a user-defined kind of run. Collective in effect: all PEs add and remove kinds in the same order,
  /// and nobody sends one before all have added it. The number may be one that was removed before.
  kind_id add_kind(const kind_entry&);
  /// Of a kind of which nothing is under way to or from any PE. Its number will be used again.
  void remove_kind(kind_id);
  /// Of a kind that an exception has left: what is under way to this PE is dropped when it arrives, now and
  /// later, so its number is not used again. Local.
  void abandon_kind(kind_id);

  /// What `complete_own` and `quiesce` run and wait for besides messages.
  void attach(work_source& s) { sources_.push_back(&s); }
  void detach(work_source& s) { std::erase(sources_, &s); }
  /// Who is told of replies; null: nobody.
  void report_replies(reply_receiver* r) { replies_ = r; }

  /// Sends what is there if nothing is under way, and waits until `s` is ready or all replies have come.
  /// False if there is nothing to wait for.
  bool await_reply(const work_source& s);

  /// Returns when all items this PE has sent were handled at their owners, all replies are here, and no
  /// attached work is pending.
  /// `what` is shown if that takes suspiciously long.
  void complete_own(pgas::wait_reason what);
  /// Collective over `members`: returns when all items that any of them sent, and all that handlers sent in
  /// turn, have been handled, and no attached work is pending.
  void quiesce(const team& members, pgas::wait_reason what);
  /// Collective over `members`, of all that send items of this user-defined kind: returns when those that any
  /// of them sent, and those that their handlers sent in turn, have been handled.
  void drain(kind_id, const team& members, pgas::wait_reason what);
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
    std::uint32_t spilled = 0;   ///< blocks in the spill; while there are any, no other one may leave
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

  /// While it lives, this PE has nothing to send by itself, but for what its work sources may send.
  class waiting {
   public:
    waiting(engine& e, bool runs_sources)
        : engine_(e),
          sent_(std::exchange(e.sends_early_, true)),
          ran_(std::exchange(e.runs_sources_, runs_sources)) {}
    ~waiting() {
      engine_.sends_early_ = sent_;
      engine_.runs_sources_ = ran_;
    }
    waiting(const waiting&) = delete;
    waiting& operator=(const waiting&) = delete;

   private:
    engine& engine_;
    bool sent_;
    bool ran_;
  };

  static trace::event event_of(const run_header&, pe_t from);
  static bool is_user_defined(kind_id kind) { return kind >= builtin_kinds && kind < first_own_function; }
  kind_entry& user_kind(kind_id kind) { return user_kinds_[kind - builtin_kinds]; }
  const kind_entry& entry(kind_id kind) const {
    if (kind >= first_own_function)
      return kind == function_kind ? called_functions : functions_[kind - first_own_function];
    return kind < builtin_kinds ? builtin_kind(kind) : user_kinds_[kind - builtin_kinds];
  }

  // For `items_`.
  writer& make_room(kind_id, pe_t to, std::uint64_t operand, std::uint32_t bytes) override;
  writer& make_room_for_call(const remote_function&, pe_t to, std::uint64_t argument) override;
  void close_stretch(pe_t to) override;
  std::uint64_t reachable_bytes() const override;
  [[noreturn]] void bad_target(pe_t to, std::uint64_t offset, std::size_t size) const override;
  void require_range(pe_t to, std::uint64_t offset, std::size_t bytes) const override;

  // Sending.
  void poll();
  void ensure_writers(kind_id);
  bool grow(lane&, kind_id, writer&, std::uint32_t bytes);
  bool open(lane&, pe_t to, kind_id, std::uint64_t operand, std::uint32_t least);
  std::byte* notes_for(lane&);
  void close_run(lane&, kind_id, pe_t to);
  void finish_run(lane&, const open_run&, pe_t to);
  void new_block(lane&, pe_t to);
  transport::block* free_block(const lane&, pe_t to);
  void send(lane&, pe_t to, bool full);
  void commit(transport::block*, pe_t to, block_mark);
  void send_all();
  bool send_early();
  bool run_sources_early();

  // Receiving.
  void handle(transport::block*);
  void come_home(transport::block*);
  template <class Visit>
  void for_each_run(transport::block*, Visit);

  // Spilling.
  void spill(lane&, const spilled_block&);
  transport::block* spare_block();
  bool drain_spill();

  /// Then another thread may be in here while this one waits.
  bool several_threads() const { return core_.map().keep_announced; }
  bool all_home() const { return in_flight_ == 0 && spill_.empty(); }

  // What else is under way.
  bool is_idle() const {
    return std::ranges::none_of(sources_, [](const work_source* s) { return s->pending(); });
  }
  bool is_ready() const {
    return std::ranges::any_of(sources_, [](const work_source* s) { return s->ready(); });
  }
  void run_ready();
  void wait_for_end(pgas::wait_reason);
  /// Replaces numbers by their sums over the members.
  void add_up(const team& members, std::span<std::uint64_t>);
  std::uint64_t started() const;

  lanes items_{*this};
  pgas::core& core_;
  transport::transport& link_;
  kind_id reuse_kind(const kind_entry&);
  void close_kind(kind_id);
  writer*& writers(kind_id kind) {
    return kind < builtin_kinds ? items_.builtin_[kind] : user_writers_[kind - builtin_kinds];
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
  bool sends_early_ = false;  ///< what handlers send leaves when nothing arrives, be the block full or not
  std::uint32_t given_ = 0;   ///< bytes that runs got since the inbox was looked at
  bool runs_sources_ = false; ///< those that run in all waits do so as soon as they can
  std::vector<work_source*> sources_;
  reply_receiver* replies_ = nullptr;
  bool loads_directly_;
  bool updates_directly_;
};

} // namespace windrow::aggregation
