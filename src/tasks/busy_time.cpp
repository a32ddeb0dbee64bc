// SPDX-License-Identifier: BSD-3-Clause
// Clocks that stand still while what they measure waits.
#include "windrow/busy_time.hpp"

#include <utility>

#include "tasks/worker.hpp"

namespace windrow {

busy_time::busy_time()
    : here_(tasks::worker::here("busy_time")), outer_(std::exchange(here_.measured_, this)) {}

busy_time::~busy_time() {
  here_.measured_ = outer_;
}

std::chrono::nanoseconds busy_time::so_far() const {
  return before_ + (clock::now() - since_);
}

void busy_time::stop() {
  const auto now = clock::now();
  for (busy_time* t = this; t != nullptr; t = t->outer_) t->before_ += now - t->since_;
}

void busy_time::go_on() {
  const auto now = clock::now();
  for (busy_time* t = this; t != nullptr; t = t->outer_) t->since_ = now;
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
