// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/task.hpp"

#include <fmt/format.h>

#include <bit>
#include <memory>
#include <utility>

#include "base/fatal.hpp"
#include "tasks/pool.hpp"
#include "tasks/waiting.hpp"
#include "windrow/detail/wait_queue.hpp"

namespace windrow {

int workers() {
  return tasks::worker::here("workers").siblings().size();
}

int this_worker() {
  return tasks::worker::here("this_worker").index();
}

} // namespace windrow

namespace windrow::tasks {

namespace {

constexpr transport::wait_kind for_finish{.text = "the tasks of a finish", .needs_all_pes = false};
constexpr transport::wait_kind for_future{.text = "a future", .needs_all_pes = false};

} // namespace

closure_task& new_task(const char* call) {
  return worker::here(call).new_task();
}

void start(task& t) {
  worker::current()->start(t);
}

void start(task& t, priority p) {
  worker::current()->start(t, p);
}

void start_at(int index, task& t) {
  auto& here = *worker::current();
  auto& all = here.siblings();
  if (index < 0 || index >= all.size())
    base::fatal(
        fmt::format("async_at: worker {} does not exist; this PE has workers 0 to {}, set by "
                    "WINDROW_WORKERS",
                    index, all.size() - 1));
  here.start_at(all.at(index), t);
}

scope::scope() : owner_(worker::here("finish")), outer_(owner_.scope_), blocking_(owner_.keeps_handler()) {
  owner_.scope_ = this;
}

scope::scope(detached) : scope() {
  owner_.scope_ = std::exchange(outer_, nullptr);
}

scope::innermost::innermost(scope& s)
    : here_(worker::here("task_group")), before_(std::exchange(here_.scope_, &s)) {}

scope::innermost::~innermost() {
  here_.scope_ = before_;
}

scope::scope(worker& owner) : owner_(owner), outer_(owner.scope_), blocking_(true) {
  owner_.scope_ = this;
}

scope::scope(worker& owner, std::int64_t alive, task& over)
    : owner_(owner),
      counting_(nullptr),
      waiting_(&over),
      outer_(nullptr),
      blocking_(false),
      others_(suspended + alive) {}

void scope::fail(std::exception_ptr failure) {
  if (!failed_.exchange(true)) failure_ = std::move(failure);
}

// The sum is 0 only if nothing is alive: README.md.
void scope::close() {
  wait_until_over();
  owner_.scope_ = outer_;
  if (failed_) std::rethrow_exception(failure_);
}

void scope::wait() {
  require_right_to_wait();
  waited_for_ = true;
  wait_until_over();
  if (failed_) std::rethrow_exception(failure_);
}

// There is room for one light thread that waits, `own_` is the owner's alone, and a handler would wait for
// tasks that may not run before it has returned.
void scope::require_right_to_wait() const {
  if (&worker::here("task_group: wait") != &owner_)
    base::fatal(
        "task_group: wait on another worker than the one that made the group; wait where it was made");
  if (owner_.scope_ != nullptr && owner_.scope_->is_within(*this))
    base::fatal(
        "task_group: a task waits for the group that it belongs to, hence for itself; wait outside the "
        "group");
  if (owner_.keeps_handler() && !blocking_)
    base::fatal(
        "task_group: a handler of messages waits for a group that was made outside it; make the group in the "
        "handler, or wait in main code or a task");
  if (waited_for_)
    base::fatal(
        "task_group: wait while another task or light thread waits for the same group; let one wait, and "
        "tell "
        "the others by a latch or a future");
}

bool scope::is_within(const scope& s) const {
  const scope* around = this;
  while (around != nullptr && around != &s) around = around->outer_;
  return around != nullptr;
}

void scope::wait_until_over() {
  const auto over = [this] { return own_ + others_.load(std::memory_order_seq_cst) == 0; };
  if (over()) return;
  owner_.require_no_continuation(for_finish);
  if (owner_.light() == nullptr)
    owner_.wait_until(for_tasks, over);
  else
    close_light();
}

// From the addition on, one number counts all, so whoever brings it down to `suspended` has ended the last
// one.
void scope::close_light() {
  waiting_ = owner_.light();
  counting_.store(nullptr, std::memory_order_relaxed);
  if (others_.fetch_add(own_ + suspended, std::memory_order_seq_cst) + own_ != 0) owner_.suspend(for_finish);
}

constinit task future_state::completed{};

void refuse_empty_future(const char* call) {
  base::fatal(
      fmt::format("future: {} of a future that refers to nothing (never assigned, or moved from); assign it "
                  "the future of a task, a call or a fetching operation first",
                  call));
}

future_state::future_state()
    : maker_(worker::here("async_future")), blocking_(maker_.in_blocking_message()) {}

worker& future_state::require_may_wait() const {
  auto& here = worker::here("future::wait");
  here.require_no_continuation(for_future);
  if (before_wait != nullptr) before_wait(*this);
  if (here.keeps_handler() && !blocking_)
    base::fatal(
        by_message_
            ? "a handler of messages, or a task that it waits for, waits for the answer to a call or "
              "a fetch, which comes when the handler has returned; use then, or let the task outlive "
              "the handler"
            : "a handler of messages waits for the future of a task that is not its own; put one finish "
              "of the handler around both");
  return here;
}

void future_state::wait() {
  if (ready()) return;
  auto& here = require_may_wait();
  if (task* const me = here.light()) {
    if (goes_on_later(*me)) here.suspend(for_future, this);
    return;
  }
  waiting_workers_.fetch_or(std::uint64_t{1} << here.index());
  here.wait_until(for_tasks, [this] { return ready(); });
}

// The thread that completes it stores `ready_` and then looks for the queue; one that waits makes the queue
// and then looks at `ready_`, under the queue's lock.
bool future_state::wait_for(std::chrono::nanoseconds limit) {
  if (ready()) return true;
  require_may_wait();
  return limited_waits().wait_for(waitable::future, [this] { return ready(); }, limit);
}

wait_queue& future_state::limited_waits() {
  wait_queue* there = limited_.load(std::memory_order_seq_cst);
  if (there != nullptr) return *there;
  auto fresh = std::make_unique<wait_queue>();
  const bool first = limited_.compare_exchange_strong(there, fresh.get(), std::memory_order_seq_cst);
  return first ? *fresh.release() : *there;
}

// False: it is complete.
bool future_state::goes_on_later(task& me) {
  me.next = waiting_light_.load(std::memory_order_seq_cst);
  while (me.next != &completed)
    if (waiting_light_.compare_exchange_weak(me.next, &me, std::memory_order_seq_cst)) return true;
  return false;
}

void future_state::complete() {
  ready_.store(true, std::memory_order_seq_cst);
  for (task* t = waiting_light_.exchange(&completed, std::memory_order_seq_cst); t != nullptr;)
    go_on_later(*std::exchange(t, t->next));
  if (wait_queue* const limited = limited_.load(std::memory_order_seq_cst)) [[unlikely]]
    limited->change([] {});
  auto& all = maker_.siblings();
  if (follow_.load(std::memory_order_seq_cst) != nullptr) [[unlikely]]
    start_continuations(all);
  for (auto waiting = waiting_workers_.load(std::memory_order_seq_cst); waiting != 0; waiting &= waiting - 1)
    all.at(std::countr_zero(waiting)).wake();
}

} // namespace windrow::tasks
