// SPDX-License-Identifier: BSD-3-Clause
// What futures and queues of those who wait use of src/tasks/worker.hpp, waiting.hpp and pool.hpp. A thread
// is a worker that runs one thing only, which waits on its stack or as a light thread.
#pragma once

#include <chrono>
#include <cstdint>

#include "tasks/arrivals.hpp"
#include "tasks/deadlines.hpp"
#include "tasks/worker_sleep.hpp"
#include "windrow/detail/task.hpp"
#include "windrow/detail/wait_queue.hpp"

namespace windrow::transport {

struct wait_kind {
  const char* text;
  bool needs_all_pes = true;
};

} // namespace windrow::transport

namespace windrow::tasks {

class pool;

inline constexpr transport::wait_kind for_tasks{.text = "", .needs_all_pes = false};

struct light_thread : task {
  explicit light_thread(worker& w) : task{}, home(w) {}
  worker& home;
};

class worker {
 public:
  /// Of the threads of this iteration; null: it is no worker.
  static inline worker* of_threads[16] = {};

  worker(pool& p, int index) : me_(*this), pool_(p), index_(index) {}

  static worker* current() { return of_threads[rl::ctx().threadx_->index_]; }
  static worker& here(const char*) { return *current(); }

  /// What it runs is a light thread.
  void run_light() { light_ = &me_; }

  int index() const { return index_; }
  pool& siblings() const { return pool_; }
  task* light() const { return light_; }
  bool may_surely_wait() const { return true; }
  bool keeps_handler() const { return false; }
  bool in_blocking_message() const { return false; }
  void require_no_continuation(const transport::wait_kind&) const {}
  void require_may_wait_for(const transport::wait_kind&) const {}

  void wake() { sleep_.wake(); }
  void receive(task& t) {
    arrived_.add(t);
    wake();
  }
  void suspend(const transport::wait_kind&, const void* = nullptr) {
    while (!goes_on_) idle([] { return false; });
    goes_on_ = false;
  }
  template <class Done>
  void wait_until(const transport::wait_kind&, Done done) {
    while (!done()) idle(done);
  }
  void receive_own(task& t) {
    RL_ASSERT(&t == light_ && !goes_on_); // once
    goes_on_ = true;
  }

  std::uint64_t moment_after(std::chrono::nanoseconds) const { return 0; }
  void begin_limit(timed_wait& w) { limit_ = &w; }
  void end_limit(timed_wait&) { limit_ = nullptr; }

  // Of tasks, which are not part of the model.
  void end_unique() {}
  closure_task& new_task();
  void start(task&);
  void start(task& t, priority) { start(t); }
  void start_at(worker&, task&);
  scope* scope_ = nullptr;

 private:
  /// A turn without anything to run. A limit of time may be over at any moment.
  template <class Done>
  void idle(Done done) {
    if (arrived_.any_seen()) {
      task* const t = arrived_.take_all();
      RL_ASSERT(t->next == nullptr);
      receive_own(*t);
    } else if (limit_ != nullptr && rl::rand(3) == 0) {
      timed_wait* const over = limit_;
      limit_ = nullptr;
      over->expire(*over);
    } else {
      sleep_.unless([&] { return done() || arrived_.any(); }, [] { return std::chrono::hours(1); }, nullptr);
    }
  }

  light_thread me_;
  pool& pool_;
  const int index_;
  task* light_ = nullptr;
  bool goes_on_ = false;
  timed_wait* limit_ = nullptr;
  arrivals<task> arrived_;
  worker_sleep sleep_;
};

class pool {
 public:
  worker& at(int index) { return *worker::of_threads[index]; }
  int size() const { return 1; }
  bool is_ending() const { return true; }
  void start_continuation(task&);
};

inline void go_on_later(task& t) {
  worker& home = static_cast<light_thread&>(t).home;
  if (&home == worker::current())
    home.receive_own(t);
  else
    home.receive(t);
}

} // namespace windrow::tasks
