// SPDX-License-Identifier: BSD-3-Clause
// How light threads wait for what nobody tells them: they look again when their turn comes.
#include <algorithm>
#include <chrono>
#include <exception>

#include "os/cpu.hpp"
#include "tasks/pool.hpp"
#include "tasks/waiting.hpp"
#include "tasks/worker.hpp"
#include "windrow/detail/wait_queue.hpp"

namespace windrow::tasks {

namespace {

constexpr transport::wait_kind for_turn{.text = "its turn (yield)", .needs_all_pes = false};
constexpr transport::wait_kind for_condition{
    .text = "a condition (wait_until)", .needs_all_pes = false, .rings = false};

} // namespace

void worker::look_again(const transport::wait_kind& what, bool found_nothing) {
  light_->found_nothing = found_nothing;
  polled_.push_back(light_);
  count_looks(1);
  suspend(what);
}

void worker::count_looks(int more) {
  looks_ += more;
  if (communicates()) core_.count_looks(more);
}

bool worker::look_is_due() const {
  return (!polled_.empty() && look_clock() >= next_look_) || any_limit_is_over();
}

// Where PEs take turns, nothing happens between two sleeps of one.
std::uint64_t worker::look_clock() const {
  return core_.link().takes_turns() ? core_.stats().sleeps : os::now_ns();
}

// ---- waits with a limit

std::uint64_t worker::moment_after(std::chrono::nanoseconds limit) const {
  const auto now = core_.link().now_ns(), more = static_cast<std::uint64_t>(limit.count());
  return now + std::min(more, deadlines::never - 1 - now);
}

void worker::count_limits(int more) {
  looks_ += more;
  if (communicates()) core_.wake_at(limits_.first_ns());
}

void worker::begin_limit(timed_wait& w) {
  limits_.add(w);
  count_limits(1);
}

void worker::end_limit(timed_wait& w) {
  if (limits_.remove(w)) count_limits(-1); // else it was over
}

bool worker::any_limit_is_over() const {
  return !limits_.empty() && core_.link().now_ns() >= limits_.first_ns();
}

bool worker::end_waits_in_time() {
  bool any = false;
  for (; any_limit_is_over(); any = true) {
    timed_wait& over = limits_.take_first();
    count_limits(-1);
    over.expire(over);
  }
  return any;
}

// ---- their turns

/// One of those that wait for what nobody tells, now and then.
task* worker::take_slow(bool keeps_handler) {
  turns_ = 0;
  end_waits_in_time();
  return polled_.empty() ? nullptr : take_polled(keeps_handler);
}

light_thread* worker::take_polled(bool keeps_handler) {
  light_thread* const l = polled_.front();
  polled_.pop_front();
  turns_ = 0;
  if (may_run(*l, keeps_handler)) return count_looks(-1), l;
  polled_.push_back(l);
  return nullptr;
}

// A slice of them: those that have waited longest. If nothing comes of it, the next slice is later.
bool worker::look() {
  constexpr std::size_t slice = 256;
  bool useful = end_waits_in_time();
  if (polled_.empty()) return useful;
  for (auto left = std::min(polled_.size(), slice); left > 0; --left)
    if (light_thread* const l = take_polled(keeps_handler())) {
      l->found_nothing = false;
      go_on(*l, 0);
      useful |= !l->found_nothing;
    }
  turns_ = 0;
  patience_ns_ = useful ? least_patience_ns : std::min(2 * patience_ns_, most_patience_ns);
  next_look_ = useful ? 0 : look_clock() + (core_.link().takes_turns() ? 1 : patience_ns_);
  return useful;
}

std::uint64_t moment_after(std::chrono::nanoseconds limit) {
  return worker::here("a wait").moment_after(limit);
}

std::chrono::nanoseconds left_until(std::uint64_t moment_ns) {
  const auto now = worker::here("a wait").moment_after(std::chrono::nanoseconds::zero());
  return std::chrono::nanoseconds(moment_ns - std::min(now, moment_ns));
}

void yield() {
  worker::here("yield").yield();
}

void worker::yield() {
  require_no_continuation(for_turn);
  if (light() != nullptr) return look_again(for_turn, false);
  require_stack();
  if (task* t = next_of_wait()) {
    run(*t);
  } else {
    if (!keeps_handler() && look_is_due()) look();
    if (sender_ != nullptr) sender_->flush();
  }
  if (communicates() && !in_handler()) serve();
}

// Of whatever task, as in its waits.
void worker::serve() {
  const pgas::permission for_handlers;
  pool_.engine().progress_of_waiting();
}

// In simulated time tasks take none.
bool worker::is_time_for_oldest() {
  constexpr std::uint64_t between_ns = 1'000'000;
  constexpr unsigned many = 1024;
  if (core_.link().takes_turns()) return sought_ % many == 0;
  const auto now = os::now_ns();
  if (now < time_of_oldest_ns_) return false;
  time_of_oldest_ns_ = now + between_ns;
  return true;
}

// Above tasks that wait, it would lie on the stack of what it has nothing to do with, and others on it. Those
// that other PEs may take lie elsewhere, and have every other turn. When an exception ends the job, messages
// wait for the tasks: they may run deferred code, and what that refers to is gone.
task* worker::oldest_in_turn() {
  if (!is_time_for_oldest()) return nullptr;
  if (sender_ != nullptr) {
    sender_->flush();
  } else if (!in_handler() && !pool_.is_ending()) {
    const auto lock = core_.exclusive();
    pool_.engine().main_sender().send_early();
    serve();
  }
  if (in_task() || keeps_handler()) return nullptr;
  portable_in_turn_ = !portable_in_turn_;
  if (task* const portable = portable_in_turn_ ? take_portable() : nullptr) return portable;
  task* const own = deque_.steal();
  return own != nullptr ? own : pool_.low().take();
}

template <class Done>
void worker::wait_until_true(Done done) {
  if (light() != nullptr) {
    do look_again(for_condition, true);
    while (!done());
    return;
  }
  count_looks(1);
  patience_ns_ = least_patience_ns;
  bool is_done = false;
  std::exception_ptr failure;
  const auto looks = [&] {
    try {
      return is_done = is_done || done();
    } catch (...) { // rethrown when the wait has ended
      failure = std::current_exception();
      return is_done = true;
    }
  };
  wait_until(for_condition, looks);
  count_looks(-1);
  if (failure) std::rethrow_exception(failure);
}

void wait_until(bool (*done)(void*), void* argument) {
  auto& here = worker::here("wait_until");
  if (!done(argument)) {
    here.require_may_wait_for(for_condition);
    here.wait_until_true([=] { return done(argument); });
  }
  here.siblings().core().map().settle(); // another PE has perhaps told this one something
}

} // namespace windrow::tasks
