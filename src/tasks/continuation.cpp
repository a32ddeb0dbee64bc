// SPDX-License-Identifier: BSD-3-Clause
// What follows a result: a task of no finish for the communication worker, which runs it as the continuation
// of a fetching operation.
#include <fmt/format.h>

#include <exception>
#include <memory>
#include <utility>

#include "base/fatal.hpp"
#include "tasks/pool.hpp"
#include "windrow/detail/continuations.hpp"
#include "windrow/detail/task.hpp"
#include "windrow/detail/wait_queue.hpp"

namespace windrow::tasks {

namespace {

/// In the queues of the scheduler, if something else runs at the moment.
struct following {
  following(std::in_place_t, owned_continuation f) : f(std::move(f)) {}

  void run(deferral::fate) { f.release()->follow(); }

  owned_continuation f;
};

void run_continuation(task& t) {
  owned_continuation f(&static_cast<continuation&>(t));
  auto& here = *worker::current();
  if (!here.siblings().is_ending()) deferral::continuations_of_thread->run_complete<following>(std::move(f));
  here.end_unique();
}

} // namespace

continuation::continuation()
    : task{.run = run_continuation,
           .belongs_to = nullptr,
           .next = nullptr,
           .may_use = detail::job_use::all,
           .kind = task_kind::unique} {}

future_state::~future_state() {
  if (follow_.load(std::memory_order_relaxed) != nullptr) abandon();
  delete limited_.load(std::memory_order_relaxed);
}

void future_state::abandon() {
  for (task* t = follow_.exchange(nullptr, std::memory_order_acquire); t != nullptr;)
    static_cast<continuation&>(*std::exchange(t, t->next)).drop();
}

// Either this finds the result, or `complete` finds the continuation.
void future_state::attach(owned_continuation f) {
  task* const added = f.release();
  added->next = follow_.load(std::memory_order_relaxed);
  while (!follow_.compare_exchange_weak(added->next, added, std::memory_order_seq_cst)) {
  }
  if (!ready()) return;
  start_continuations(worker::here("a continuation of a future").siblings());
}

// Those of the PE on which it is complete, or of that which attaches more: its maker may be gone by then.
// What follows a continuation, as the rest of a coroutine does another one, runs right behind it, so that
// those who have deferred too much help such chains to their ends, too.
void future_state::start_continuations(pool& of) {
  auto& here = *deferral::continuations_of_thread;
  for (task* t = follow_.exchange(nullptr, std::memory_order_seq_cst); t != nullptr;) {
    auto& f = static_cast<continuation&>(*std::exchange(t, t->next));
    f.result = shared_from_this();
    if (here.run_now())
      here.run_complete<following>(owned_continuation(&f));
    else
      of.start_continuation(f);
  }
}

void future_state::require_result() const {
  if (!failure) return;
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    base::fatal(fmt::format(
        "there is an exception in place of the result that a continuation (future::then) takes: {}; catch it "
        "where it is thrown, or take the result by get or co_await",
        e.what()));
  } catch (...) { // whatever it is, the job ends
    base::fatal(
        "there is an exception in place of the result that a continuation (future::then) takes; catch it "
        "where it is thrown, or take the result by get or co_await");
  }
}

} // namespace windrow::tasks
