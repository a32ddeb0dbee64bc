// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/detail/fork.hpp"

#include <utility>

#include "os/cpu.hpp"
#include "tasks/waiting.hpp"
#include "tasks/worker.hpp"
#include "windrow/fork_join.hpp"

namespace windrow::tasks {

namespace {

constexpr transport::wait_kind for_branch{.text = "a branch of a fork_join that another worker runs",
                                          .needs_all_pes = false};

constinit open_branches nowhere;

} // namespace

constinit task branch::has_ended{};
constinit thread_local open_branches* branches_of_thread = &nowhere;

void branch::end() {
  worker& w = *owner;
  if (task* const t = waiting.exchange(&has_ended, std::memory_order_seq_cst))
    go_on_later(*t);
  else if (&w != worker::current())
    w.wake();
}

// ---- open_branches

void open_branches::attach_branches(open_branches* b) {
  branches_of_thread = b != nullptr ? b : &nowhere;
  if (b != nullptr) b->use_of_job_ = &pgas::use_of_job;
}

void open_branches::offer_some() {
  while (offered_ != newest_ && wanted()) offer_next();
}

void open_branches::offer_next() {
  offered_ = offered_->newer;
  static_cast<worker*>(this)->offer(static_cast<branch&>(*offered_));
}

bool open_branches::take_back(branch& b) {
  offered_ = b.older;
  return static_cast<worker*>(this)->take_back(b);
}

// ---- worker

void worker::offer(branch& b) {
  b.owner = this;
  b.waiting.store(nullptr, std::memory_order_relaxed);
  b.may_use = detail::job_use::none_branch;
  b.kind = task_kind::unique;
  deque_.push(&b);
  pool_.announce_task(*this);
}

// What lies above it in the deque are tasks that its first branch has started.
bool worker::take_back(branch& b) {
  if (b.ended()) return false;
  task* const newest = take_own(keeps_handler());
  if (newest == &b) return true;
  if (light_thread* const me = light()) {
    if (newest != nullptr) put_back(*newest);
    task* nobody = nullptr;
    if (b.waiting.compare_exchange_strong(nobody, me, std::memory_order_seq_cst)) suspend(for_branch);
    return false;
  }
  if (newest != nullptr) run(*newest);
  wait_until(for_branch, [&b] { return b.ended(); });
  return false;
}

void worker::put_back(task& t) {
  deque_.push(&t);
  if (shared_) pool_.announce_task(*this); // thieves could not see it
}

void worker::require_may_wait() const {
  if (!in_handler()) core_.require_may_wait({for_tasks});
}

void worker::require_may_wait_for(const transport::wait_kind& what) const {
  if (keeps_handler()) pgas::forbid_handler_to_wait({what});
  if (pgas::may_use_job()) core_.require_may_wait({what});
}

void worker::require_no_continuation(const transport::wait_kind& what) const {
  if (in_continuation()) core_.require_may_wait({what});
}

// ---- without_job

without_job::without_job(const char* call) {
  worker& here = worker::here(call);
  here.require_may_wait();
  needs_finish_ = here.in_handler() && !here.in_blocking_message();
  before_ = std::exchange(pgas::use_of_job, detail::job_use::none_branch);
}

without_job::~without_job() {
  pgas::use_of_job = before_;
}

// ---- loops

std::uint64_t loop_clock() {
  return os::now_ns();
}

} // namespace windrow::tasks
