// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "base/fatal.hpp"
#include "base/fiber_local.hpp"
#include "os/memory.hpp"
#include "tasks/pool.hpp"

namespace windrow::tasks {

namespace {

const base::fiber_local branches_are_local([]() -> auto& { return branches_of_thread; });
[[noreturn]] void end_job_with_current_exception() {
  base::fatal(
      fmt::format("an exception left a task that belongs to no finish: {}; put a finish around what "
                  "starts it, or catch it in the task",
                  base::text_of_exception()));
}

} // namespace

const base::fiber_local worker::worker_is_local([]() -> auto& { return worker_of_thread; });

worker::worker(pool& p, int index, int workers)
    : pool_(p),
      core_(p.core()),
      portable_(p.portable()),
      index_(index),
      shared_(workers > 1),
      random_(static_cast<std::uint32_t>(index)),
      unused_light_(*this),
      cache_(p.store()),
      deque_(shared_) {
  if (shared_) watch(deque_.top(), deque_.bottom(), std::min(workers, most_offered));
}

void worker::attach(worker* w) {
  worker_of_thread = w;
  attach_branches(w);
  pgas::is_worker_thread = w != nullptr;
  const auto* const end = w != nullptr ? os::end_of_stack() : nullptr;
  if (end == nullptr) return;
  w->stack_limit_ = end + least_stack;
  w->middle_of_stack_ = std::midpoint(end, static_cast<const std::byte*>(__builtin_frame_address(0)));
}

void worker::no_stack() const {
  base::fatal(fmt::format(
      "{} tasks wait for each other, each on the stack of the one before, and that is full; raise the limit "
      "(ulimit -s) or let fewer wait for the next one",
      depth_));
}

void worker::no_worker(const char* call) {
  base::fatal(
      fmt::format("{} on a thread that is no worker of a PE; call it on the thread that made the "
                  "job, while the job exists, or in a task",
                  call));
}

// ---- starting

void worker::start(task& t) {
  begin(t, detail::job_use::none);
  if (!deque_.push(&t, kept_here_)) [[unlikely]] {
    if (may_run_at_once(t)) return run(t);
    deque_.push(&t);
  }
  if (shared_) pool_.announce_task(*this);
}

// What keeps a handler from returning is looked for in the deques only. Where so many wait already, order
// says little, and the deque has a bound.
void worker::start(task& t, priority p) {
  if (p == priority::normal || in_blocking_message()) return start(t);
  auto& others = p == priority::high ? pool_.high() : pool_.low();
  if (others.size() >= most_kept) return start(t);
  begin(t, detail::job_use::none);
  others.add(t);
  if (p == priority::high) pool_.look_for_high();
  if (shared_) pool_.announce_task(*this);
}

// Tasks that start each other lie on one another then, however many. They leave room for waits, which have no
// other place. A continuation may not wait, so neither might a task that runs in it.
bool worker::may_run_at_once(const task& t) const {
  return light_ == nullptr && !in_continuation() && may_run(t, keeps_handler()) &&
         static_cast<const std::byte*>(__builtin_frame_address(0)) > middle_of_stack_;
}

void worker::start_alone(task& t) {
  scope* const innermost = std::exchange(scope_, nullptr);
  start(t);
  scope_ = innermost;
}

void worker::start_at(worker& other, task& t) {
  if (shared_) pool_.ensure_threads(*this);
  begin(t, other.communicates() ? detail::job_use::all : detail::job_use::none);
  if (handles_message(t)) ++messages_kept_; // in a handler, so for this worker
  other.receive(t);
}

void worker::receive(task& t) {
  arrived_.add(t);
  wake();
}

// ---- running

void worker::run(task& t) {
  task* next = &t;
  while (next->kind != task_kind::pooled) [[unlikely]] {
    next = run_special(*next);
    if (next == nullptr) return;
  }
  scope* const home = next->belongs_to;
  run_here(*next);
  cache_.put(*next);
  end(home);
}

// Returns what is to be run next, if light threads have found something.
task* worker::run_special(task& t) {
  switch (t.kind) {
    case task_kind::light:
      return go_on(static_cast<light_thread&>(t), most_now());
    case task_kind::spawned:
      return run_spawned(t);
    default:
      return run_here(t), nullptr;
  }
}

inline void worker::run_here(task& t) {
  scope* const home = t.belongs_to;
  scope* const outer = std::exchange(scope_, home);
  const auto use_before = std::exchange(pgas::use_of_job, t.may_use);
  ++depth_;
  ++turns_;
  const trace::span event(core_.trace(), {"task", trace::category::task, nullptr, -1, 0, 0});
  const auto* const interrupted = std::exchange(pgas::current_call, nullptr);
  try {
    t.run(t);
  } catch (...) { // for whoever waits for the task
    keep_exception(home);
  }
  pgas::current_call = interrupted;
  --depth_;
  pgas::use_of_job = use_before;
  scope_ = outer;
}

void worker::keep_exception(scope* home) {
  if (home == nullptr) end_job_with_current_exception();
  home->fail(std::current_exception());
}

// What is run may start more: that is for the next time.
void worker::relieve() {
  auto too_many = deque_.size() - most_kept, too_many_messages = messages_kept_ - most_kept;
  for (;;) {
    task* mine = nullptr;
    if (too_many-- > 0 && deque_.size() > most_kept)
      mine = take_own(false);
    else if (too_many_messages-- > 0 && messages_kept_ > most_kept)
      mine = take_message();
    else if (pool_.has_large_backlog())
      mine = take_from_backlog();
    if (mine == nullptr) return;
    run(*mine);
  }
}

bool worker::handles_message(const task& t) {
  return t.kind == task_kind::spawned && name_of_spawned(t) == name_of_handlers;
}

task* worker::take_message() {
  receive_given();
  return given_.take(handles_message);
}

// Light threads that go on belong to it as well. Other tasks that were given to this worker may do with the
// job what they like, which is not for the middle of a send.
task* worker::take_from_backlog() {
  receive_given();
  task* const goes_on = given_.take([](const task& t) { return t.kind == task_kind::light; });
  return goes_on != nullptr ? goes_on : take_own(false);
}

// ---- finding

task* worker::find_given(bool keeps_handler) {
  receive_given();
  for (;;) {
    task* const t = given_.take([=](const task& one) { return may_run(one, keeps_handler); });
    if (t != &high_) return t;
    if (task* const first = take_high()) return first;
  }
}

// A thread that adds another one meanwhile finds the note taken back, or has added it before this look.
task* worker::take_high() {
  note_.take_back();
  task* const first = pool_.high().take();
  if (first != nullptr && pool_.high().any()) look_for_high();
  return first;
}

void worker::receive_given() {
  if (arrived_.any_seen()) given_.add_reversed(arrived_.take_all());
}

// A task that keeps a handler may wait for the future of another that lies beneath tasks which it may not
// run.
task* worker::find_own() {
  std::vector<task*> passed;
  task* found = nullptr;
  while (found == nullptr) {
    task* const t = deque_.take();
    if (t == nullptr) break;
    if (may_run(*t, true))
      found = t;
    else
      passed.push_back(t);
  }
  for (auto t = passed.rbegin(); t != passed.rend(); ++t) deque_.push(*t);
  if (shared_ && !passed.empty()) pool_.announce_task(*this); // thieves could not see them
  return found;
}

task* worker::steal_from_others() {
  const auto others = static_cast<std::uint32_t>(pool_.size());
  random_ = random_ * 1664525 + 1013904223;
  const auto first = (random_ >> 16) % others;
  for (std::uint32_t i = 0; i < others; ++i) {
    auto& victim = pool_.at(static_cast<int>((first + i) % others));
    if (&victim == this) continue;
    if (task* t = victim.steal()) return t;
  }
  return nullptr;
}

bool worker::ready() const {
  if (arrived_.any() || look_is_due()) return true;
  if (keeps_handler()) return false; // what it may run would have been found
  if (!given_.empty()) return true;
  for (int i = 0; i < pool_.size(); ++i)
    if (pool_.at(i).has_tasks()) return true;
  if (pool_.low().any()) return true;
  if (!portable_.in_use()) return false;
  if (communicates()) {
    if (portable_.has_errands()) return true;
    portable_.wake_when_any();
  }
  return portable_.any();
}

// ---- waking

void worker::wake() {
  sleep_.wake();
  if (communicates()) core_.link().ring(core_.pe());
}

} // namespace windrow::tasks
