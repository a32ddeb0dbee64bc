// SPDX-License-Identifier: BSD-3-Clause
// Clocks that stand still while what they measure waits.
#include "windrow/busy_time.hpp"

#include <utility>

#include "base/fatal.hpp"
#include "tasks/pool.hpp"
#include "tasks/worker.hpp"

namespace windrow {

busy_time::busy_time()
    : here_(tasks::worker::here("busy_time")), outer_(std::exchange(here_.measured_, this)) {}

// A coroutine that waits leaves one behind, which is the innermost for others then, or lies beneath theirs,
// and goes when these do not expect it. Those that a job destroys as it fails are looked at by nobody.
busy_time::~busy_time() {
  const auto* const here = tasks::worker::current();
  if (here == &here_ && here->measured_ == this)
    here_.measured_ = outer_;
  else if (here != nullptr && !here->siblings().is_ending())
    base::fatal(
        "busy_time: it does not end where it was made, or before another one inside it; a coroutine must not "
        "keep one across co_await");
}

std::chrono::nanoseconds busy_time::so_far() const {
  return std::chrono::nanoseconds(before_ns_ + (now_ns() - since_ns_));
}

std::uint64_t busy_time::now_ns() const {
  return here_.siblings().core().link().now_ns();
}

void busy_time::stop() {
  const auto now = now_ns();
  for (busy_time* t = this; t != nullptr; t = t->outer_) t->before_ns_ += now - t->since_ns_;
}

void busy_time::go_on() {
  const auto now = now_ns();
  for (busy_time* t = this; t != nullptr; t = t->outer_) t->since_ns_ = now;
}

namespace tasks {

worker::unmeasured::unmeasured(worker& w) : here_(w), stopped_(std::exchange(w.measured_, nullptr)) {
  if (stopped_ != nullptr) stopped_->stop();
}

worker::unmeasured::~unmeasured() {
  here_.measured_ = stopped_;
  if (stopped_ != nullptr) stopped_->go_on();
}

} // namespace tasks

} // namespace windrow
