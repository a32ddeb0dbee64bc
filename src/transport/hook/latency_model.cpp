// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hook/latency_model.hpp"

#include <utility>

#include "os/cpu.hpp"
#include "transport/hook/short_wait.hpp"

namespace windrow::transport {

void delay::wait_until(std::uint64_t due_ns) const {
  for (auto now_ns = os::now_ns(); now_ns < due_ns; now_ns = os::now_ns()) {
    const auto left_ns = due_ns - now_ns;
    if (left_ns > worth_sleeping_ns)
      os::sleep(std::chrono::nanoseconds(left_ns - wake_up_ns));
    else
      wait_shortly(shares_processor_);
  }
}

// When the question would have been answered. What was begun before is due before.
void delay::operate(const message& asked, const action& carry_out) const {
  if (asked.owner != self_) wait_until(os::now_ns() + 2 * one_way_ns_);
  carry_out_due();
  carry_out();
}

void delay::begin(const message& /*asked*/, until /*when*/, action carry_out) const {
  const std::lock_guard lock(mutex_);
  under_way_.push_back({os::now_ns() + 2 * one_way_ns_, std::move(carry_out)});
}

// In their order, with the mutex held, so that none overtakes another one. Returns whether any are left.
bool delay::carry_out_due() const {
  const std::lock_guard lock(mutex_);
  for (; !under_way_.empty() && under_way_.front().due_ns <= os::now_ns(); under_way_.pop_front())
    under_way_.front().carry_out();
  return !under_way_.empty();
}

bool delay::complete() const {
  std::uint64_t last_ns = 0;
  {
    const std::lock_guard lock(mutex_);
    if (under_way_.empty()) return false;
    last_ns = under_way_.back().due_ns;
  }
  wait_until(last_ns);
  carry_out_due();
  return true;
}

bool delay::progress() const {
  return carry_out_due();
}

void delay::give_way() const {
  os::yield();
}

} // namespace windrow::transport
