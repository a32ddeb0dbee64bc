// SPDX-License-Identifier: BSD-3-Clause
// A worker: its tasks, what it runs at the moment, and how it waits. README.md has the protocol.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <utility>

#include "aggregation/sender.hpp"
#include "base/fiber_local.hpp"
#include "pgas/core.hpp"
#include "tasks/arrivals.hpp"
#include "tasks/deadlines.hpp"
#include "tasks/light_thread.hpp"
#include "tasks/shared_queue.hpp"
#include "tasks/task_list.hpp"
#include "tasks/task_store.hpp"
#include "tasks/work_deque.hpp"
#include "tasks/worker_sleep.hpp"
#include "windrow/busy_time.hpp"
#include "windrow/detail/fork.hpp"
#include "windrow/detail/task.hpp"
#include "windrow/task.hpp"

namespace windrow::tasks {

class pool;
class portable_tasks;
struct stolen_tasks;

inline constexpr transport::wait_kind for_tasks{.text = "its tasks to end (finish or future)",
                                                .needs_all_pes = false};
inline constexpr transport::wait_kind for_portable_tasks{
    .text = "its tasks to end (finish or future), some of them perhaps on other PEs"};

class alignas(64) worker : public open_branches {
 public:
  /// One of `workers`; if there are others, they will steal.
  worker(pool&, int index, int workers);

  /// The worker that runs this thread, or null.
  static worker* current() { return worker_of_thread; }
  /// The worker that runs this thread. Ends the job, naming `call`, if there is none.
  static worker& here(const char* call) {
    if (worker_of_thread == nullptr) [[unlikely]]
      no_worker(call);
    return *worker_of_thread;
  }
  /// Makes this thread run `w`, or (null) no worker.
  static void attach(worker* w);

  /// What this worker sends with; the communication worker has the PE's.
  void send_by(aggregation::sender& s) { sender_ = &s; }

  int index() const { return index_; }
  pool& siblings() const { return pool_; }

  // On the worker's own thread.

  bool in_task() const { return depth_ > 0; }
  /// What runs belongs to a finish in a handler.
  bool in_blocking_message() const { return scope_ != nullptr && scope_->blocking_; }
  /// What runs is a handler, or keeps one from returning: only its own tasks may be run and waited for.
  bool keeps_handler() const { return in_blocking_message() || in_handler(); }
  bool in_handler() const { return communicates() && core_.in_handler(); }
  bool in_continuation() const { return communicates() && !core_.runs_program() && !core_.in_handler(); }

  closure_task& new_task() { return cache_.take(); }
  void start(task&);
  void start(task&, priority);
  void start_at(worker& other, task&);
  /// A task of high priority may be there: this worker looks before it runs tasks of its own. Any thread.
  void look_for_high() {
    if (note_.write()) arrived_.add(high_);
  }
  /// Where other PEs may take it.
  void start(portable_task&);
  /// Of no finish; with it, who has started it has begun to end.
  void start_alone(task&);
  void put_away(task& t) { t.kind = task_kind::pooled, cache_.put(t); }
  /// What a light thread does with its stack: runs what was spawned, one after the other.
  [[noreturn]] void live(light_thread&);
  /// The light thread that runs, or null: who waits in one suspends it. A handler that runs on its stack,
  /// when it sends, is none of it.
  light_thread* light() const { return in_handler() ? nullptr : light_; }
  /// The light thread on whose stack this thread is, or null.
  const light_thread* on_stack_of() const { return light_; }
  /// Of a light thread: it is run after those that have been received before.
  void receive_own(task& t) { given_.add(t); }
  /// Of a light thread that will be received when it may go on: leaves the worker to others until then.
  /// What it waits for, and which object that is, if it is one, are for reports.
  void suspend(const transport::wait_kind&, const void* at = nullptr);
  /// Suspends a light thread that nobody will tell: it goes on in its turn, to look again. `found_nothing`:
  /// it has looked, and still waits.
  void look_again(const transport::wait_kind&, bool found_nothing);
  /// Those have waited long enough to look again.
  bool look_is_due() const;
  /// By which the pauses between looks are: nanoseconds, or the number of sleeps.
  std::uint64_t look_clock() const;
  /// Goes on with some of them; true if any found what it waits for.
  bool look();
  void yield();
  /// The wait ends at its moment, a little later if tasks run longer.
  void begin_limit(timed_wait&);
  void end_limit(timed_wait&);
  std::uint64_t moment_after(std::chrono::nanoseconds) const;
  /// Waits for what nobody tells.
  template <class Done>
  void wait_until_true(Done done);
  /// Runs tasks until `done()`; whoever makes it true must wake this worker. What it waits for is for
  /// reports.
  template <class Done>
  void wait_until(const transport::wait_kind&, Done done);
  /// Runs tasks until `done()`, as `wait_until`, without serving the inbox.
  template <class Done>
  void help_until(Done done);
  /// Waits for other PEs, so as not to have to wait for: runs only what keeps a handler from returning.
  template <class Done>
  void wait_to_send(Done done);
  /// A task that may be run now, or null.
  task* next();
  /// As `next`, for who runs one after the other: now and then what has been stored leaves, and the oldest
  /// task has its turn, since there may always be newer ones, which wait for what comes of these.
  task* next_of_wait() {
    if (++sought_ % seek_oldest_every == 0) [[unlikely]]
      if (task* const oldest = oldest_in_turn()) return oldest;
    return next();
  }
  void run(task&);
  /// Of one of no finish that is gone when it has run.
  void end_unique() { end(nullptr); }
  /// Other PEs have ended so many tasks of that finish of this PE.
  void end_stolen(scope*, std::int64_t tasks);
  /// Tasks of another host are here. On the communication worker, in a handler.
  void receive(stolen_tasks&);
  /// What this worker has stored leaves.
  void flush();
  /// Puts a branch of a fork_join where others may steal it.
  void offer(branch&);
  /// The newest of those: true if it has not begun, and nobody else will run it. Otherwise waits for its end.
  bool take_back(branch&);
  /// Ends the job if what runs may not wait for branches.
  void require_may_wait() const;
  /// What runs may wait for something that tasks do. False: it may not, or it takes longer to say.
  bool may_surely_wait() const { return !in_blocking_message() && (!communicates() || core_.runs_program()); }
  /// Ends the job if what runs may not wait for something that tasks do.
  void require_may_wait_for(const transport::wait_kind&) const;
  /// Ends the job if deferred code runs, which may not wait.
  void require_no_continuation(const transport::wait_kind&) const;
  /// What runs has taken long: when its light thread leaves, no other takes its place before this worker has
  /// looked for messages.
  void end_row() { followers_ = 0; }
  /// Runs tasks of its own while it keeps too many, or the PE a large backlog.
  void relieve();
  /// `next` would find something, unless another worker is faster. The communication worker is woken then.
  bool ready() const;

  // On any thread.

  /// The task is run here, after those that were received before.
  void receive(task&);
  /// Wakes it if it sleeps. What it waits for must have been written before, with sequential consistency.
  void wake();
  /// Wakes it if it sleeps and would steal; true if so.
  bool wake_thief() { return sleep_.wake_thief(); }
  task* steal() { return deque_.steal(); }
  bool has_tasks() const { return deque_.size() > 0; }
  bool sleeps() const { return sleep_.sleeps(); }
  const light_threads& all_light() const { return unused_light_; }
  std::uint64_t started() const { return started_.load(std::memory_order_seq_cst); }
  std::uint64_t ended() const { return ended_.load(std::memory_order_seq_cst); }

  /// For what a task, a handler and a sentence need.
  static constexpr std::size_t least_stack = std::size_t{128} << 10;

 private:
  friend class windrow::tasks::scope;
  friend class windrow::busy_time;

  /// While it lives, what was measured on this stack waits.
  class unmeasured {
   public:
    explicit unmeasured(worker&);
    ~unmeasured();
    unmeasured(const unmeasured&) = delete;
    unmeasured& operator=(const unmeasured&) = delete;

   private:
    worker& here_;
    busy_time* stopped_;
  };

  /// With more tasks of its own than these, a worker runs one for each that it starts.
  static constexpr std::int64_t most_kept = 4096;
  /// After so many light threads that take the place of one that has ended or waits, the worker looks at
  /// messages again.
  static constexpr int most_followers = 8;
  /// A worker offers a branch for each worker while it has fewer tasks than those, up to so many.
  static constexpr int most_offered = 8;

  /// Between two looks of who is not told.
  static constexpr std::uint64_t least_patience_ns = 20'000, most_patience_ns = 1'000'000;
  /// After so many tasks a light thread that looks again has its turn, and limits of waits are looked at.
  static constexpr unsigned look_every = 32;
  /// After so many tasks the clock is looked at, which says whether it is time for the oldest.
  static constexpr unsigned seek_oldest_every = 32;

  static inline constinit thread_local worker* worker_of_thread = nullptr;
  static const base::fiber_local worker_is_local;
  [[noreturn]] static void no_worker(const char* call);

  bool communicates() const { return index_ == communication_worker; }
  template <class Done>
  void serve_until(const transport::wait_kind&, Done done);
  /// Ends the job if waiting for one more task, which runs others above this one, may overflow the stack.
  void require_stack() const {
    const auto* const limit = light_ != nullptr ? light_->stack_limit : stack_limit_;
    if (static_cast<const std::byte*>(__builtin_frame_address(0)) < limit) [[unlikely]]
      no_stack();
  }
  [[noreturn]] void no_stack() const;
  template <class Done>
  void sleep_unless(Done done);
  static void count(std::atomic<std::uint64_t>& counter) {
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  /// Of what runs on a stack while a light thread is in its place.
  struct circumstances {
    scope* innermost;
    branch_list branches;
    detail::job_use use_of_job;
    const detail::caller* call;
    light_thread* light;
    std::int64_t kept_here;
    busy_time* measured;
  };

  task* run_special(task&);
  void run_here(task&);
  task* run_spawned(task&);
  light_thread* light_thread_for(task&);
  light_thread& prepare(light_thread&, task& spawned);
  int most_now() const;
  /// Returns what the last of those that have run has found, but cannot run.
  task* go_on(light_thread&, int followers);
  void leave(light_thread&);
  void take_turn(light_thread&);
  light_thread* follower();
  void begin(task&, detail::job_use);
  void count_start();
  void end(scope*);
  void go_on_after(task& waiting);
  /// Of a task that belongs there.
  static void keep_exception(scope* home);
  void put_back(task&);
  static bool may_run(const task&, bool keeps_handler);
  static bool handles_message(const task&);
  /// On the stack of who starts it.
  bool may_run_at_once(const task&) const;
  task* take_given(bool keeps_handler);
  task* find_given(bool keeps_handler);
  task* take_high();
  void receive_given();
  task* take_own(bool keeps_handler);
  task* take_message();
  task* take_from_backlog();
  task* find_own();
  void count_looks(int more);
  bool any_limit_is_over() const;
  bool end_waits_in_time();
  void count_limits(int more);
  task* take_slow(bool keeps_handler);
  void serve();
  [[gnu::cold, gnu::noinline]] task* oldest_in_turn();
  bool is_time_for_oldest();
  light_thread* take_polled(bool keeps_handler);
  task* steal_from_others();
  task* take_elsewhere();
  task* take_on_host();
  task* take_portable();
  task* steal_portable();
  void adopt(stolen_tasks&);
  void keep(const stolen_tasks&);
  closure_task& task_of(const portable_task&);
  std::chrono::nanoseconds longest_sleep() const;
  std::chrono::nanoseconds longest_sleep_without_limits() const;

  // Others write here.
  alignas(64) arrivals<task> arrived_; ///< given by other workers
  task high_{.run = nullptr, ///< among those, stands for whichever of high priority is the first then
             .belongs_to = nullptr,
             .next = nullptr,
             .may_use = detail::job_use::none,
             .kind = task_kind::unique};
  note note_; ///< that it is there
  worker_sleep sleep_;

  // Only this worker's thread writes from here on.
  alignas(64) std::atomic<std::uint64_t> started_ = 0;
  std::atomic<std::uint64_t> ended_ = 0;
  pool& pool_;
  pgas::core& core_;
  portable_tasks& portable_;
  const int index_;
  const bool shared_;
  const std::byte* stack_limit_ = nullptr;
  const std::byte* middle_of_stack_ = nullptr; ///< of this thread; null if that is not known
  int depth_ = 0;                              ///< tasks under way on this thread
  std::uint32_t random_;                       ///< where to steal next
  task_list given_;                            ///< arrived, in order
  std::int64_t messages_kept_ = 0;             ///< those of handlers that may wait and have not begun
  aggregation::sender* sender_ = nullptr;      ///< of this worker's thread; null for the communication worker
  light_thread* light_ = nullptr;
  busy_time* measured_ = nullptr;      ///< the innermost of what runs; null for what does not measure
  int followers_ = 0;                  ///< how many more may take the place of the light thread that runs
  task* left_over_ = nullptr;          ///< found by the last one, for the worker's own stack
  std::int64_t kept_here_ = most_kept; ///< any number on the stack of a light thread, where no task is run
  light_threads unused_light_;
  std::deque<light_thread*> polled_; ///< look again
  deadlines limits_;
  int looks_ = 0; ///< how many wait for what nobody tells, or up to a moment, on stacks of their own or not
  unsigned turns_ = 0; ///< tasks since one of those had its turn
  std::uint64_t patience_ns_ = least_patience_ns;
  std::uint64_t next_look_ = 0;         ///< by `look_clock`
  unsigned sought_ = 0;                 ///< calls of `next_of_wait`
  std::uint64_t time_of_oldest_ns_ = 0; ///< when the oldest task has its turn
  bool portable_in_turn_ = false;       ///< was it a portable one the last time
  task_cache cache_;
  work_deque<task> deque_;
};

// Inline because they are run for each task, or wait.

/// Of a task of `spawn`; null: it has none.
inline const char* name_of_spawned(const task& t) {
  return std::launder(reinterpret_cast<const named*>(static_cast<const closure_task&>(t).closure))->name;
}

/// Of a light thread that has suspended itself: its worker goes on with it. Any thread.
inline void go_on_later(task& t) {
  worker& home = static_cast<light_thread&>(t).home;
  if (&home == worker::current())
    home.receive_own(t);
  else
    home.receive(t);
}

/// The last task of a finish has ended.
inline void worker::go_on_after(task& waiting) {
  if (waiting.kind == task_kind::light)
    go_on_later(waiting);
  else
    start_alone(waiting);
}

inline void worker::begin(task& t, detail::job_use use) {
  t.may_use = use;
  t.belongs_to = scope_;
  count_start();
}

inline void worker::count_start() {
  count(started_);
  if (scope_ == nullptr) return;
  if (scope_->counts_itself(*this))
    ++scope_->own_;
  else
    scope_->others_.fetch_add(1, std::memory_order_relaxed);
}

// Another worker's scope may be gone as soon as it is counted down.
inline void worker::end(scope* home) {
  if (home != nullptr && !home->counts_itself(*this)) {
    worker& owner = home->owner_;
    if (home->others_.fetch_sub(1, std::memory_order_seq_cst) == scope::suspended + 1)
      go_on_after(*home->waiting_);
    else
      owner.wake();
  } else if (home != nullptr) {
    --home->own_;
  }
  count(ended_);
}

inline bool worker::may_run(const task& t, bool keeps_handler) {
  return !keeps_handler || (t.belongs_to != nullptr && t.belongs_to->blocking_);
}

inline task* worker::take_given(bool keeps_handler) {
  const bool any = arrived_.any_seen() || !given_.empty();
  return any ? find_given(keeps_handler) : nullptr;
}

inline task* worker::next() {
  const bool own_only = keeps_handler();
  if (looks_ > 0 && turns_ >= look_every) [[unlikely]]
    if (task* slow = take_slow(own_only)) return slow;
  if (task* given = take_given(own_only)) return given;
  if (task* mine = take_own(own_only)) return mine;
  return own_only ? nullptr : take_elsewhere();
}

inline task* worker::take_own(bool keeps_handler) {
  task* const newest = deque_.take();
  if (newest == nullptr || may_run(*newest, keeps_handler)) return newest;
  deque_.push(newest);
  return nullptr;
}

} // namespace windrow::tasks
