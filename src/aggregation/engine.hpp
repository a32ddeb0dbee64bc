// SPDX-License-Identifier: BSD-3-Clause
// The aggregation engine: every small message of a PE goes through it. README.md has the protocol.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "aggregation/block_pool.hpp"
#include "aggregation/program_threads.hpp"
#include "aggregation/reply_receiver.hpp"
#include "aggregation/run.hpp"
#include "aggregation/sender.hpp"
#include "aggregation/sending_threads.hpp"
#include "aggregation/user_kinds.hpp"
#include "aggregation/work_source.hpp"
#include "pgas/core.hpp"
#include "windrow/detail/lanes.hpp"
#include "windrow/team.hpp"

namespace windrow::aggregation {

/// For operations to be handled, of whatever client.
inline constexpr transport::wait_kind for_operations{
    .text = "the operations of context {object} to be handled", .suspends = true};

/// What all senders of a PE have in common: what arrives, and when everything is complete. For the PE's own
/// thread, but for what is said to be for others.
class engine final : public pgas::progress_source {
 public:
  /// For so many threads of this PE that send, of which the caller is the first.
  engine(pgas::core&, int senders);
  ~engine() override;

  /// Where this PE's own thread stores items.
  lanes& items() { return main_.items(); }
  /// From now on this thread sends as that sender. Number 0 is the PE's own thread's already. By the thread.
  sender& begin_thread(int number);
  /// Of the calling thread; null if it does not send.
  sender* sender_of_thread();
  /// From now on threads of the program send too, besides those of the library; the thread that serves the
  /// inbox, or sends through the PE's own sender, must hold `core::exclusive`.
  void allow_program_threads() { pool_.share(); }
  program_threads& threads_of_program() { return program_threads_; }
  /// What all senders have done so far. Exact for those who are complete.
  counters stats() const;

  /// Adds a user-defined kind of run. Collective in effect: all PEs add and remove kinds in the same order,
  /// and nobody sends one before all have added it. The number may be one that was removed before.
  kind_id add_kind(const kind_entry& entry) { return kinds_.add(entry); }
  /// Of a kind of which nothing is under way to or from any PE. Its number will be used again.
  void remove_kind(kind_id);
  /// Of a kind that an exception has left: what is under way to this PE is dropped when it arrives, now and
  /// later, so its number is not used again. Local.
  void close_kind(kind_id);

  /// What `complete_own` and `quiesce` run and wait for besides messages.
  void attach(work_source& s) { sources_.push_back(&s); }
  void detach(work_source& s) { std::erase(sources_, &s); }
  /// Before any thread but the PE's own sends.
  void attach(sending_threads& t) { threads_ = &t; }
  /// Sets the receiver that is told of replies, or none (null).
  void report_replies(reply_receiver* r) { replies_ = r; }

  /// Sends what is there if nothing is under way, and waits until `s` is ready or all replies have come.
  /// False if there is nothing to wait for.
  bool await_reply(const work_source& s, pgas::wait_reason);

  /// Returns when all items this PE has sent were handled at their owners, all replies are here, and no
  /// attached work is pending. In a task that was not given to the PE's own thread, on any thread: when the
  /// task's own items were handled, and their replies are here.
  /// `what` is shown if that takes suspiciously long.
  void complete_own(pgas::wait_reason what);
  /// Whether nothing but operations on memory can run on this PE while it waits: there are no kinds of
  /// streams, and attached work has nothing to do.
  bool carries_operations_only() const { return is_idle() && !kinds_.any(); }
  /// True if this PE has no unsent or unacknowledged items. Without other threads that send.
  bool owes_nothing() const { return all_home() && !main_.any_open(); }
  /// Where `carries_operations_only`, with one thread: as `complete_own`, but at most up to a moment of the
  /// transport's clock. False: something is still to come. Attached work has to be seen to by the caller.
  bool complete_own_until(std::uint64_t due_ns);
  /// Collective over `members`: returns when all items that any of them sent, and all that their handlers
  /// sent in turn, have been handled, and no attached work is pending. Not what other PEs sent because of
  /// these.
  void quiesce(const team& members, pgas::wait_reason what);
  /// Collective over `members`: returns when the items of this user-defined kind that any of them sent to any
  /// of them, and those that their handlers sent in turn, have been handled.
  void drain(kind_id, const team& members, pgas::wait_reason what);
  /// Returns once `done()` is true, which others make so. Until then this PE sends its blocks, full or not,
  /// and runs deferred code: the others may wait for these. `reason` is shown if that takes suspiciously
  /// long.
  template <class Done>
  void wait_for_value(Done done, pgas::wait_reason reason = {pgas::for_value}) {
    if (several_threads()) return wait_among_threads(reason, done);
    const waiting until_done(*this, true);
    core_.wait(reason, done);
  }
  /// Progress for callers that look again and again without waiting. False if there was nothing to do.
  bool progress_of_waiting();
  /// Returns once `done()` is true, which work of this PE makes so. Until then this thread sends its blocks
  /// and those of its handlers, full or not, and runs deferred code.
  template <class Done>
  void wait_for_work(pgas::wait_reason reason, Done done) {
    if (several_threads()) return core_.wait(reason, done);
    const waiting until_done(*this, true);
    core_.wait(reason, done);
  }
  /// To be called when the segments have grown (core::adopt).
  void measure_reach();
  /// To be called when memory was allocated or released, when that is complete which was under way, and when
  /// other threads may come.
  void choose_route();
  /// The caller may wait for what it has sent: it is no continuation, and keeps no handler from returning.
  bool may_wait_here() const;
  /// Every later operation is an error.
  void close();
  /// Closes in a process that the PE has forked.
  void close_in_child();

  /// Numbers for contexts, for diagnosis. On any thread.
  std::uint32_t next_number() { return numbered_.fetch_add(1, std::memory_order_relaxed) + 1; }

  /// Whether a load from any PE's memory is a plain load here, so that asking its owner would only cost. Not
  /// where PEs are at a distance.
  bool loads_directly() const { return loads_directly_; }

  /// Whether updates may be carried out at once, by `lanes::change_own`: this PE is the only one, with one
  /// worker.
  bool may_update_at_once() const;
  /// Whether they are now: the PE's memory fits the caches. Of larger memory, batches with their prefetching
  /// are faster even for a PE alone.
  bool updates_at_once() const;

  bool progress() override;
  bool has_work() override;
  void describe(transport::wait_details&) const override;
  std::string list_waiting() const override;
  void thread_waits(bool from_now_on) override {
    if (from_now_on) program_threads_.flush_own();
    threads_that_wait_.fetch_add(from_now_on ? 1 : -1, std::memory_order_relaxed);
  }

  // For senders, on their threads.

  pgas::core& core() { return core_; }
  block_pool& pool() { return pool_; }
  user_kinds& kinds() { return kinds_; }
  reply_receiver* replies() { return replies_; }
  sender& main_sender() { return main_; }
  sending_threads* threads() { return threads_; }
  /// The newest request to flush.
  std::uint64_t request() const { return request_.load(std::memory_order_acquire); }
  /// Of a thread other than the PE's own: returns once `done()` is true.
  template <class Done>
  void wait_on_thread(Done done) {
    if (done()) return;
    waiting_threads_.fetch_add(1, std::memory_order_seq_cst);
    threads_->wait([](void* d) { return (*static_cast<Done*>(d))(); }, &done);
    waiting_threads_.fetch_sub(1, std::memory_order_relaxed);
  }

  /// Called by a thread that waits for a free block or drains the spill. If no block is on its way home,
  /// threads of the program have them all and may have stopped sending, so this sends what they have stored.
  void free_some();

  // Progress on the PE's own thread.

  void serve_inbox();
  block_mark mark_for(pe_t to) { return replies_ == nullptr ? no_mark : replies_->block_leaves(to); }

 private:
  /// While it lives, this PE has nothing to send by itself, but for what its work sources may send. Waits of
  /// light threads begin and end in any order, hence the counts.
  class waiting {
   public:
    waiting(engine& e, bool runs_sources) : engine_(e), runs_(runs_sources ? 1 : 0) {
      ++engine_.sends_early_;
      engine_.runs_sources_ += runs_;
    }
    ~waiting() {
      --engine_.sends_early_;
      engine_.runs_sources_ -= runs_;
    }
    waiting(const waiting&) = delete;
    waiting& operator=(const waiting&) = delete;

   private:
    engine& engine_;
    int runs_;
  };

  /// While it lives, a thread of the program waits for what others do. What it has stored is on its way.
  class waiting_thread {
   public:
    explicit waiting_thread(engine& e) : engine_(e) { e.thread_waits(true); }
    ~waiting_thread() { engine_.thread_waits(false); }
    waiting_thread(const waiting_thread&) = delete;
    waiting_thread& operator=(const waiting_thread&) = delete;

   private:
    engine& engine_;
  };
  template <class Done>
  void wait_among_threads(pgas::wait_reason reason, Done done) {
    const waiting_thread meanwhile(*this);
    core_.wait(reason, done);
  }

  /// Calls `f(sender)` for each.
  template <class F>
  void each_sender(F f) const {
    for (const auto& s : senders_) f(*s);
    program_threads_.each(f);
  }
  /// Other PEs may wait for a PE that waits for them, so it sends what it has.
  bool sends_early() const {
    return sends_early_ > 0 || core_.lets_tasks_run() ||
           threads_that_wait_.load(std::memory_order_relaxed) > 0;
  }

  static trace::event event_of(const run_header&, pe_t from);
  /// Of runs that arrive or come home.
  const kind_entry& entry(kind_id kind) const {
    if (kind == function_kind) return called_functions;
    if (kind == answering_function_kind) return answering_functions;
    return kind < builtin_kinds ? builtin_kind(kind) : kinds_.at(kind).entry;
  }

  // Receiving.
  bool drain_spill();
  bool must_hold_back();
  bool another_works_on_ours() const;
  bool handle_held(std::uint32_t most);
  bool goes_on(const work_source& s) const { return runs_sources_ > 0 && s.runs_in_all_waits() && s.ready(); }
  bool run_sources_early();
  bool is_time_to_send();
  void handle(transport::block*);
  void come_home(transport::block*);

  /// Then another thread may be in here while this one waits.
  bool several_threads() const { return core_.map().keep_announced; }

  // What is under way.
  bool main_is_home() const { return main_.begun() - main_.home() == main_.open(); }
  /// Of no sender is any block being filled or out, at one moment.
  bool all_home() const;
  std::uint64_t ask_senders();
  bool all_have_flushed(std::uint64_t request) const;
  bool is_idle() const {
    return std::ranges::none_of(sources_, [](const work_source* s) { return s->pending(); });
  }
  bool is_ready() const {
    return std::ranges::any_of(sources_, [](const work_source* s) { return s->ready(); });
  }
  bool is_complete(std::uint64_t request) const;
  bool has_more_to_send(std::uint64_t request) const;
  void run_ready();
  /// Replaces numbers by their sums over the members.
  void add_up(const team& members, std::span<std::uint64_t>);
  std::uint64_t started_by_sources() const;
  std::uint64_t started() const;

  pgas::core& core_;
  transport::transport& link_;
  user_kinds kinds_;
  block_pool pool_;
  std::vector<std::unique_ptr<sender>> senders_;
  sender& main_; ///< of the PE's own thread
  program_threads program_threads_;
  std::atomic<int> threads_that_wait_ = 0; ///< of the program, for other PEs
  lanes* const outer_lanes_;               ///< of another job that this thread has made before
  const std::ptrdiff_t outer_row_;         ///< the same
  std::atomic<std::uint64_t> request_ = 0;
  std::atomic<int> waiting_threads_ = 0; ///< of those other than the PE's own
  std::atomic<std::uint32_t> numbered_ = 0;
  std::uint64_t time_to_send_ns_ = 0; ///< where this PE would send early if nothing arrived
  int sends_early_ = 0;  ///< if not 0, blocks that are not full are sent, too, whenever nothing arrives
  int runs_sources_ = 0; ///< if not 0, sources that run in all waits do so as soon as they can
  std::vector<work_source*> sources_;
  sending_threads* threads_ = nullptr;
  reply_receiver* replies_ = nullptr;
  std::deque<transport::block*> held_; ///< have arrived, are not handled yet
  bool holds_back_ = false;            ///< the same, as others see it
  bool loads_directly_;
  bool updates_directly_;
};

} // namespace windrow::aggregation
