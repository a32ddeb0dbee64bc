// SPDX-License-Identifier: BSD-3-Clause
#include "task/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "base/fatal.hpp"
#include "os/futex.hpp"
#include "task/pool.hpp"

namespace windrow::tasks {

namespace {

constinit thread_local worker* worker_of_thread = nullptr;

[[noreturn]] void end_job(const char* exception) {
  base::fatal(
      fmt::format("an exception left a task that belongs to no finish: {}; put a finish around what "
                  "starts it, or catch it in the task",
                  exception));
}

[[noreturn]] void end_job_with_current_exception() {
  try {
    throw;
  } catch (const std::exception& e) {
    end_job(e.what());
  } catch (...) { // whatever it is, the job ends
    end_job("of unknown type");
  }
}

void count(std::atomic<std::uint64_t>& counter) {
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

} // namespace

worker::worker(pool& p, int index, bool shared)
    : pool_(p),
      index_(index),
      random_(static_cast<std::uint32_t>(index)),
      cache_(p.store()),
      deque_(shared) {}

worker* worker::current() {
  return worker_of_thread;
}

worker& worker::here(const char* call) {
  if (worker_of_thread == nullptr) [[unlikely]]
    base::fatal(
        fmt::format("{} on a thread that is no worker of a PE; call it on the thread that made the "
                    "job, while the job exists, or in a task",
                    call));
  return *worker_of_thread;
}

void worker::attach(worker* w) {
  worker_of_thread = w;
}

bool worker::in_handler() const {
  return communicates() && pool_.core().in_handler();
}

// ---- starting

void worker::begin(task& t, bool communicates) {
  t.communicates = communicates;
  t.belongs_to = scope_;
  count(started_);
  if (scope_ == nullptr) return;
  if (&scope_->owner_ == this)
    ++scope_->own_;
  else
    scope_->others_.fetch_add(1, std::memory_order_relaxed);
}

void worker::start(task& t) {
  pool_.ensure_threads();
  begin(t, false);
  const auto kept = deque_.push(&t);
  pool_.announce_task(*this);
  if (kept <= most_kept) [[likely]]
    return;
  if (task* mine = take_own()) run(*mine);
}

void worker::start_at(worker& other, task& t) {
  pool_.ensure_threads();
  begin(t, other.communicates());
  t.next = other.arrived_.load(std::memory_order_relaxed);
  while (!other.arrived_.compare_exchange_weak(t.next, &t, std::memory_order_seq_cst)) {
  }
  other.wake();
}

// ---- running

void worker::run(task& t) {
  scope* const home = t.belongs_to;
  scope* const outer = std::exchange(scope_, home);
  const bool permission = std::exchange(pgas::may_use_job, t.communicates);
  ++depth_;
  try {
    t.run(t);
  } catch (...) { // for whoever waits for the task
    if (home == nullptr) end_job_with_current_exception();
    home->fail(std::current_exception());
  }
  --depth_;
  pgas::may_use_job = permission;
  scope_ = outer;
  cache_.put(t);
  end(home);
}

// Another worker's scope may be gone as soon as it is counted down.
void worker::end(scope* home) {
  if (home != nullptr && &home->owner_ != this) {
    worker& owner = home->owner_;
    home->others_.fetch_sub(1, std::memory_order_seq_cst);
    owner.wake();
  } else if (home != nullptr) {
    --home->own_;
  }
  count(ended_);
}

void worker::relieve() {
  while (deque_.size() > most_kept) {
    task* mine = take_own();
    if (mine == nullptr) return;
    run(*mine);
  }
}

// ---- finding

bool worker::may_run(const task& t) const {
  return !keeps_handler() || (t.belongs_to != nullptr && t.belongs_to->blocking_);
}

task* worker::next() {
  if (task* given = take_given()) return given;
  if (task* mine = take_own()) return mine;
  return keeps_handler() ? nullptr : steal_from_others();
}

task* worker::take_given() {
  if (arrived_.load(std::memory_order_relaxed) != nullptr) {
    const auto end = given_.size();
    for (task* t = arrived_.exchange(nullptr, std::memory_order_acquire); t != nullptr; t = t->next)
      given_.push_back(t);
    std::reverse(given_.begin() + static_cast<std::ptrdiff_t>(end), given_.end());
  }
  if (given_.empty()) return nullptr;
  const auto found =
      std::find_if(given_.begin(), given_.end(), [this](const task* t) { return may_run(*t); });
  if (found == given_.end()) return nullptr;
  task* const t = *found;
  given_.erase(found);
  return t;
}

task* worker::take_own() {
  task* const newest = deque_.take();
  if (newest == nullptr || may_run(*newest)) return newest;
  deque_.push(newest);
  return nullptr;
}

task* worker::steal_from_others() {
  const auto others = static_cast<std::uint32_t>(pool_.size());
  if (others == 1) return nullptr;
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
  if (arrived_.load(std::memory_order_seq_cst) != nullptr) return true;
  if (keeps_handler()) return false; // what it may run would have been found
  if (!given_.empty()) return true;
  for (int i = 0; i < pool_.size(); ++i)
    if (pool_.at(i).has_tasks()) return true;
  return false;
}

// ---- waking

bool worker::wake_from(rest seen) {
  if (seen == rest::awake || !rest_.compare_exchange_strong(seen, rest::awake)) return false;
  bell_.fetch_add(1, std::memory_order_seq_cst);
  os::futex_wake(bell_);
  return true;
}

void worker::wake() {
  wake_from(rest_.load(std::memory_order_seq_cst));
  if (communicates()) pool_.core().link().ring(pool_.core().pe());
}

bool worker::wake_thief() {
  const auto seen = rest_.load(std::memory_order_seq_cst);
  return seen == rest::for_any && wake_from(seen);
}

} // namespace windrow::tasks
