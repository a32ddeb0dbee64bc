// SPDX-License-Identifier: BSD-3-Clause
// A PE from the inside: its place in the job, its memory map, and how it waits.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "os/cpu.hpp"
#include "pgas/heap.hpp"
#include "pgas/watchdog.hpp"
#include "trace/recorder.hpp"
#include "transport/host/host_memory.hpp"
#include "transport/transport.hpp"
#include "windrow/detail/job_use.hpp"
#include "windrow/detail/memory_map.hpp"

namespace windrow::pgas {

/// Counts what others may read meanwhile. Where threads count at the same time, some may get lost; that is
/// good enough.
inline void count(std::uint64_t& counter, std::uint64_t more = 1) {
  const std::atomic_ref shared(counter);
  shared.store(shared.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

/// Work that goes on while a PE waits. The aggregation engine is the one implementation.
class progress_source {
 public:
  virtual ~progress_source() = default;
  /// Does what can be done now without waiting; true if anything was.
  virtual bool progress() = 0;
  /// `progress` would do something that did not arrive. Asked before sleep; a ring says that it may be so.
  virtual bool has_work() = 0;
  /// A thread of the program waits for other PEs from now on, or no longer; they may wait for what it has
  /// sent. Only where there are several such threads.
  virtual void thread_waits(bool from_now_on) = 0;
  /// What is under way, for the report of a stall.
  virtual void describe(transport::wait_details&) const = 0;
  /// A line for each thing that waits beside this PE's own code, for the same report. Each begins with a new
  /// line and two spaces.
  virtual std::string list_waiting() const { return {}; }
};

/// Code that leaves its thread to other code while it waits.
class suspending_code {
 public:
  /// Returns true once `done()` is, which this thread asks now and then. False: the caller is no such code.
  virtual bool wait(wait_reason, bool (*done)(void*), void* argument) = 0;

 protected:
  ~suspending_code() = default;
};

/// What the code that runs on this thread may do with the job. All on the thread that made it; but not in
/// tasks that were not given to the communication worker, wherever they run, nor in branches.
inline constinit thread_local detail::job_use use_of_job = detail::job_use::none;

inline bool may_use_job() {
  return use_of_job == detail::job_use::all;
}

/// While it lives, what runs on this thread may use the job: handlers and deferred code, wherever the inbox
/// is served.
class permission {
 public:
  permission() : before_(std::exchange(use_of_job, detail::job_use::all)) {}
  ~permission() { use_of_job = before_; }
  permission(const permission&) = delete;
  permission& operator=(const permission&) = delete;

 private:
  detail::job_use before_;
};

/// Whether this thread runs tasks of a PE: the one that made the job, and those that began with the first
/// task.
inline constinit thread_local bool is_worker_thread = false;

/// Whether the continuations of this PE, or one of them, run on this thread.
inline constinit thread_local bool runs_continuations = false;

inline constexpr int waits_between_looks = 256;
/// Of each thread, so that several share nothing that is written.
inline constinit thread_local int waits_until_look = waits_between_looks;

/// What synchronizes on this thread (synchronization.hpp), or null.
inline constinit thread_local const detail::caller* current_call = nullptr;

class core {
 public:
  explicit core(std::unique_ptr<transport::transport>);
  ~core();
  core(const core&) = delete;
  core& operator=(const core&) = delete;

  pe_t pe() const { return map_.pe; }
  pe_t pes() const { return map_.pes; }
  transport::transport& link() { return *link_; }
  transport::host_memory& host() { return link_->host(); }
  detail::memory_map& map() { return map_; }
  heap& symmetric_heap() { return heap_; }
  counters& stats() { return map_.stats; }
  /// Whether calls that synchronize tell the transport.
  bool follows_calls() const { return follows_calls_; }
  /// Where events go (WINDROW_TRACE), or null.
  trace::recorder* trace() const { return map_.trace; }
  /// Before the last barrier of the job, or before the barrier after which it rests; behind it; and when it
  /// goes on, before a barrier.
  void end_trace() {
    if (trace_ != nullptr) trace_->end();
  }
  void end_trace_file() {
    if (trace_ != nullptr) trace_->end_file();
  }
  void resume_trace() {
    if (trace_ != nullptr) trace_->resume();
  }

  /// Misuse that costs communication to detect is detected: WINDROW_DEBUG=1, and always in debug builds.
  bool checks() const { return checks_; }
  /// On all PEs alike, while no collective is under way.
  void enable_checks() { checks_ = true; }

  /// WINDROW_STATS: what the job has counted is printed at its end.
  bool prints_stats() const { return prints_stats_; }

  /// As of the transport.
  transport::bulk_parts set_bulk(transport::bulk_parts);
  /// A synchronisation that was called at `site` has ended.
  void begin_phase(const void* site) {
    if (has_phases_) [[unlikely]]
      begin_phase_slowly(site);
  }

  void set_progress(progress_source* source) { progress_ = source; }
  /// Sets the code that may suspend instead of keeping its thread in `wait`, or null. For waits whose kind
  /// `suspends`.
  void set_suspending(suspending_code* s) { suspending_ = s; }
  /// The wait that is under way on the PE's own thread leaves its stack to other code, as far as there is
  /// some that other PEs may wait for.
  bool lets_tasks_run() const { return lets_tasks_run_; }
  /// Returns whether it did before. Never where several threads call the library: none of them is the PE's
  /// own.
  bool let_tasks_run(bool lets) { return !threads_ && std::exchange(lets_tasks_run_, lets); }
  /// The bounce buffers are for one larger collective at a time. False: another one uses them.
  bool take_bounce_buffers() { return !std::exchange(bounce_buffers_taken_, true); }
  void give_bounce_buffers_back() { bounce_buffers_taken_ = false; }
  /// How many such waits are to be looked at now and then by this PE's own thread: then it never sleeps long.
  void count_looks(int more) { looks_.fetch_add(more, std::memory_order_relaxed); }
  /// The PE's own thread is to look at that moment of the transport's clock, whatever it waits for.
  void wake_at(std::uint64_t due_ns) { alarm_ns_.store(due_ns, std::memory_order_relaxed); }
  bool progress();

  /// Processors that the PEs of the job on this host share.
  int processors();
  /// There are more PEs than processors: code that polls in a loop of its own should yield.
  bool shares_processors() const { return spins_ == 0; }

  /// Returns once `done()` is true, and does not ask again, for it may take what it waits for; meanwhile
  /// serves the inbox. Pauses, then yields, then sleeps until rung (the code that makes `done` true must
  /// `ring` this PE). A wait that does not end because a PE has left, or that goes on for
  /// WINDROW_STALL_SECONDS without progress, is diagnosed.
  template <class Done>
  void wait(wait_reason reason, Done done) {
    require_may_wait(reason);
    if (--waits_until_look < 0) [[unlikely]]
      look_before_wait();
    if (done()) return;
    for (int i = 0; i < spins_; ++i) {
      progress();
      if (done()) return;
      os::pause();
    }
    wait_long(reason, [](void* d) { return (*static_cast<Done*>(d))(); }, &done);
  }

  /// A part of a wait that is interrupted to look for something. `since_ns` is 0 at first, and
  /// is to be set so again when something was found: so a stall is noticed.
  template <class Wait>
  void wait_on(std::uint64_t& since_ns, Wait part) {
    if (since_ns == 0) since_ns = os::now_ns();
    watchdog_.go_on_since(since_ns);
    part();
    since_ns = std::max(since_ns, watchdog_.go_on_since(0));
  }

  /// The imitated latency, or null.
  const transport::latency_model* latency() const { return map_.latency; }
  /// What reaches the PEs of other hosts, or null.
  transport::other_hosts* remote_hosts() const { return map_.remote_hosts; }
  /// Serves the inbox until a moment of the transport's clock that comes soon. Only where a latency is
  /// imitated.
  void serve_until(std::uint64_t due_ns);

  /// A handler of a message runs: it must not wait, since what it waits for may need this very PE.
  bool runs_program() const { return map_.now() == detail::running::program; }
  bool in_handler() const { return map_.now() == detail::running::handler; }
  /// Ends the job if a handler is about to wait, or a continuation for more than room to send, or a task that
  /// may not.
  void require_may_wait(wait_reason reason) const {
    if (!may_use_job() && !any_thread_) [[unlikely]]
      forbid_thread_to_wait(reason);
    if (map_.now() != detail::running::program) [[unlikely]]
      require_may_wait_inside(reason);
  }
  /// Ends the job if a task or a thread that may not is about to send.
  void require_may_send() const {
    if (!may_use_job() && !any_thread_) [[unlikely]]
      forbid_thread_to("send");
  }

  /// A PE that has left the job although this wait needs everyone, or -1.
  pe_t departed(wait_reason reason) const { return watchdog_.departed(reason); }
  [[noreturn]] void abandon(wait_reason reason, pe_t departed) const { watchdog_.abandon(reason, departed); }

  /// From now on the report of a stall of this PE ends the job, for this reason.
  void end_job_when_stalled(const char* why) { watchdog_.end_job_when_stalled(why); }

  bool any_thread() const { return any_thread_; }
  /// From now on any thread of this PE may use the job, one at a time.
  void allow_threads_in_turn() { any_thread_ = true; }
  /// From now on several threads of this PE may wait, use direct atomics and make progress at a time, each
  /// team being used by one of them. Everything else that changes the state of the core or of the engine must
  /// hold `exclusive`.
  void allow_threads() {
    threads_ = any_thread_ = true;
    map_.keep_announced = true;
  }
  bool has_threads() const { return threads_; }
  /// Held during work with the heap or the engine; nothing without `allow_threads`. May be nested. A
  /// thread that waits for other PEs while holding it must make progress, as `wait` does.
  std::unique_lock<std::recursive_mutex> exclusive() {
    return threads_ ? std::unique_lock(mutex_) : std::unique_lock<std::recursive_mutex>();
  }

  /// Makes `bytes` of this process's own memory at `begin` the part of the segment at `offset`, beyond the
  /// heap and what was adopted before. The same sizes on all PEs.
  void adopt(std::byte* begin, std::size_t bytes, std::size_t offset);

  /// A place in the heap whose `bytes` are zero, if there is one. What nobody has used yet is so by itself
  /// and stays untouched: each page is committed by its first use.
  std::optional<std::uint64_t> allocate_zeroed(std::size_t bytes, std::size_t alignment);

  /// Makes an address of this PE's symmetric heap a global offset; false if it lies outside.
  bool offset_of(const void* local, std::size_t& offset) const;

  /// `tell` is called when this is closed, if only in a forked child: its memory may be gone after that.
  void when_closed(void (*tell)()) { tell_closed_ = tell; }
  /// No more operations: every later access to symmetric memory is an error.
  void close();
  /// Whether it is not closed yet, for what may live longer than the core.
  std::shared_ptr<const bool> is_open() const { return open_; }
  /// Closes in a process that the PE has forked. Leaves alone what the PE shares with others.
  void close_in_child();
  /// This process ends in mid-job, on purpose: nobody is to finalize it.
  void end_in_mid_job() { ends_in_mid_job_ = true; }
  bool ends_in_mid_job() const { return ends_in_mid_job_; }

 private:
  void shut();
  static constexpr std::uint64_t no_alarm = std::numeric_limits<std::uint64_t>::max();

  void keep_in_core_dumps(std::uint64_t used);
  [[gnu::cold]] void begin_phase_slowly(const void* site);
  [[gnu::cold]] void look_before_wait();
  void wait_long(wait_reason, bool (*done)(void*), void* argument);
  bool is_blind(wait_reason reason) const {
    return !reason.kind.rings || looks_.load(std::memory_order_relaxed) > 0;
  }
  void look_for_stall();
  void sleep(std::uint32_t ticket, std::chrono::nanoseconds limit);
  void describe_traffic();
  void require_may_wait_inside(wait_reason) const;

  std::unique_ptr<transport::transport> link_;
  std::unique_ptr<transport::remote_memory> remote_;
  bool has_phases_ = false; ///< which `remote_` is told of
  std::unique_ptr<trace::recorder> trace_;
  detail::memory_map map_;
  heap heap_;
  std::uint64_t dumped_ = 0; ///< of the heap, in core dumps
  watchdog watchdog_;
  progress_source* progress_ = nullptr;
  suspending_code* suspending_ = nullptr;
  bool bounce_buffers_taken_ = false;
  std::atomic<int> looks_ = 0;
  std::atomic<std::uint64_t> alarm_ns_ = no_alarm;
  int spins_;
  bool follows_calls_;
  bool checks_;
  const bool prints_stats_;
  bool threads_ = false;
  bool any_thread_ = false;
  bool in_child_ = false;
  bool ends_in_mid_job_ = false;
  bool lets_tasks_run_ = false;
  std::recursive_mutex mutex_;
  std::shared_ptr<bool> open_ = std::make_shared<bool>(true);
  void (*tell_closed_)() = nullptr;
};

} // namespace windrow::pgas
