// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "aggregation/engine.hpp"
#include "aggregation/sending_threads.hpp"
#include "job/room.hpp"
#include "pgas/core.hpp"
#include "tasks/portable.hpp"
#include "tasks/shared_queue.hpp"
#include "tasks/task_store.hpp"
#include "tasks/worker.hpp"

namespace windrow::tasks {

/// What is kept for tasks beside them, by who has started them.
class backlog {
 public:
  virtual ~backlog() = default;
  /// More than is good to keep. Any thread.
  virtual bool is_large() const = 0;
  /// On the PE's own thread, on the stack of what waits: a task has ended, which may have been some of it.
  virtual void task_ended() {}
};

/// The workers of a PE. Made on the PE's own thread, which becomes the communication worker; the other
/// threads begin with the first task, so a job without tasks has none.
class pool final : public room, public aggregation::sending_threads, public pgas::suspending_code {
 public:
  /// For an engine with a sender for each worker. Attaches itself to it.
  pool(pgas::core&, aggregation::engine&);
  /// Ends the threads.
  ~pool() override;
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  int size() const { return static_cast<int>(workers_.size()); }
  worker& at(int index) { return *workers_[static_cast<std::size_t>(index)]; }
  pgas::core& core() { return core_; }
  aggregation::engine& engine() { return engine_; }
  task_store& store() { return store_; }
  portable_tasks& portable() { return portable_; }
  shared_queue<task>& high() { return high_; }
  shared_queue<task>& low() { return low_; }
  /// Turns to pause before yielding: 0 if there are more workers than processors.
  int spins() const { return spins_; }

  /// To be called for every task that `from` starts: the first task begins the threads.
  void ensure_threads(const worker& from) {
    if (&from == &main_ && threads_.empty()) [[unlikely]]
      begin_threads();
  }
  /// There is a new task that any worker may take.
  void announce_task(const worker& from);
  /// Each worker is to look for a task of high priority before it runs others.
  void look_for_high();
  /// A worker has found nothing to do: if all has ended, the communication worker may be waiting for that.
  void announce_idle() { main_.wake(); }
  /// Of no finish, for the communication worker; its end is not reported by `worker::run`. Any thread.
  void start_continuation(task&);
  /// From now on tasks may be what other PEs wait for, so the communication worker runs them in all waits
  /// that let tasks run; and while the backlog is large, no more messages are handled that would add to it.
  /// Null: no more of that. On the PE's own thread.
  void help_with(backlog* b) { backlog_ = b; }
  /// After a task that the communication worker has run in a wait.
  void task_ended() const {
    if (backlog_ != nullptr) [[unlikely]]
      backlog_->task_ended();
  }
  bool has_large_backlog() const { return backlog_ != nullptr && backlog_->is_large(); }
  /// The job has failed: what would follow is destroyed without running. On the PE's own thread.
  bool is_ending() const { return ending_.load(std::memory_order_relaxed); }
  /// Counts those that sleep and would steal.
  std::atomic<int>& sleepers() { return sleepers_; }

  bool pending() const override;
  bool ready() const override;
  void run() override;
  bool can_help() override;
  void help() override;
  std::uint64_t started() const override;
  void messages_handled() override;
  void describe(transport::wait_details&) const override;
  std::string list_waiting() const override;
  void close_in_child() override { worker::attach(nullptr); }
  /// Runs what is left.
  void end_early() override;

  bool keeps_handler() const override;
  void wait(bool (*done)(void*), void* argument) override;
  void wake() override;

  bool wait(pgas::wait_reason, bool (*done)(void*), void* argument) override;

 private:
  static constexpr std::uint64_t least_patience_ns = 10'000'000, most_patience_ns = 1'000'000'000;

  void begin_threads();
  void run_thread(worker&);
  void stop_threads();
  void wait_for_workers();
  bool another_runs() const;
  /// How many tasks exist.
  std::uint64_t alive() const;
  bool all_ended() const { return alive() == 0; }
  /// The caller is the PE's own thread, outside tasks.
  bool asked_by_main_code() const { return worker::current() == &main_ && !main_.in_task(); }

  pgas::core& core_;
  aggregation::engine& engine_;
  task_store store_;
  portable_tasks portable_;
  shared_queue<task> high_, low_;
  std::vector<std::unique_ptr<worker>> workers_;
  worker& main_; ///< the communication worker
  int spins_;
  bool relieving_ = false;
  backlog* backlog_ = nullptr;
  std::uint64_t patience_ns_ = least_patience_ns; ///< with workers that run and end nothing of the backlog
  std::atomic<bool> ending_ = false;
  alignas(64) std::atomic<int> sleepers_ = 0;
  std::atomic<std::uint64_t> continuations_ = 0; ///< started
  std::atomic<bool> stop_ = false;
  std::atomic<int> running_ = 0; ///< threads that have not left
  std::vector<std::thread> threads_;
};

extern const room_type room_of_jobs;

} // namespace windrow::tasks
