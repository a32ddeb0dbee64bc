// SPDX-License-Identifier: BSD-3-Clause
// How a worker waits: it runs tasks; when there are none, it pauses, then yields, then sleeps.
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

#include "os/cpu.hpp"
#include "tasks/pool.hpp"
#include "tasks/worker.hpp"

namespace windrow::tasks {

/// While a worker has nothing to do, what it has stored is on its way, and nobody need ask it for that.
class resting {
 public:
  /// Null: of the communication worker, which sees to that itself.
  explicit resting(aggregation::sender* s) : sender_(s) {}
  ~resting() { end(); }
  resting(const resting&) = delete;
  resting& operator=(const resting&) = delete;

  void begin() {
    if (sender_ != nullptr && !std::exchange(rests_, true)) sender_->rest();
  }
  void end() {
    if (std::exchange(rests_, false)) sender_->work_again();
  }

 private:
  aggregation::sender* sender_;
  bool rests_ = false;
};

template <class Done>
void worker::wait_until(const transport::wait_kind& what, Done done) {
  if (done()) return;
  const unmeasured meanwhile(*this);
  offer_all();
  require_stack();
  if (communicates() && !in_handler())
    serve_until(what, done);
  else
    help_until(done);
}

// Waits as every wait of the PE does, so the bell of the PE wakes it.
template <class Done>
void worker::serve_until(const transport::wait_kind& what, Done done) {
  const pgas::permission for_handlers;
  for (std::uint64_t since_ns = 0; !done();) {
    if (task* t = next_of_wait()) {
      since_ns = 0;
      run(*t);
      pool_.task_ended();
      if (core_.link().has_arrivals() && !pool_.is_ending()) core_.progress();
    } else if (look_is_due()) {
      const bool useful = look();
      if (pool_.engine().progress_of_waiting() || useful) since_ns = 0;
    } else {
      const bool portable = &what == &for_tasks && portable_.in_use() && !pool_.is_ending();
      const auto& kind = portable ? for_portable_tasks : what;
      core_.wait_on(since_ns,
                    [&] { pool_.engine().wait_for_work({kind}, [&] { return done() || ready(); }); });
    }
  }
  portable_.need_not_wake();
}

template <class Done>
void worker::help_until(Done done) {
  constexpr int yields_before_sleep = 64;
  resting meanwhile(sender_);
  for (int idle = 0; !done();) {
    if (task* t = next_of_wait()) {
      meanwhile.end();
      run(*t);
      if (sender_ != nullptr && sender_->is_asked()) sender_->flush();
      idle = 0;
      continue;
    }
    if (idle == 0) {
      meanwhile.begin();
      pool_.announce_idle();
    }
    if (look_is_due()) {
      const auto ended_before = ended();
      meanwhile.end();
      if (look()) idle = 0;
      meanwhile.begin();
      if (ended() != ended_before) pool_.announce_idle();
    }
    if (++idle <= pool_.spins()) {
      os::pause();
    } else if (idle <= pool_.spins() + yields_before_sleep) {
      os::yield();
    } else if (task* t = keeps_handler() ? find_own() : nullptr) {
      meanwhile.end();
      run(*t);
    } else {
      sleep_unless(done);
      idle = 1;
    }
  }
}

// The scope is nobody's: nothing is started while it is the innermost one. The tasks that run here are none
// of the light thread, if it is one that sends, so their waits do not suspend it.
template <class Done>
void worker::wait_to_send(Done done) {
  light_thread* const sends = std::exchange(light_, nullptr);
  const auto* const limit = std::exchange(stack_limit_, sends != nullptr ? sends->stack_limit : stack_limit_);
  const scope keeping(*this);
  help_until(done);
  scope_ = keeping.outer_;
  stack_limit_ = limit;
  light_ = sends;
}

// Other PEs wake the communication worker only.
inline std::chrono::nanoseconds worker::longest_sleep() const {
  if (!limits_.empty()) {
    const auto now = core_.link().now_ns();
    const auto left = std::chrono::nanoseconds(limits_.first_ns() - std::min(now, limits_.first_ns()));
    return std::min(left, longest_sleep_without_limits());
  }
  return longest_sleep_without_limits();
}

inline std::chrono::nanoseconds worker::longest_sleep_without_limits() const {
  if (looks_ > static_cast<int>(limits_.size())) return std::chrono::nanoseconds(patience_ns_);
  if (!portable_.shared() || communicates()) return std::chrono::hours(1);
  return portable_.in_use() ? std::chrono::milliseconds(1) : std::chrono::milliseconds(100);
}

template <class Done>
void worker::sleep_unless(Done done) {
  sleep_.unless([&] { return done() || ready(); }, [this] { return longest_sleep(); },
                keeps_handler() ? nullptr : &pool_.sleepers());
  patience_ns_ = std::min(2 * patience_ns_, most_patience_ns);
}

} // namespace windrow::tasks
