// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hook/latency_model.hpp"

#include <algorithm>

#include "os/cpu.hpp"
#include "transport/hook/short_wait.hpp"

namespace windrow::transport {

void delay::operate(pe_t owner, std::size_t /*there*/, std::size_t /*back*/) const {
  if (owner == self_) return;
  const auto due_ns = os::now_ns() + 2 * one_way_ns_;
  for (auto now_ns = os::now_ns(); now_ns < due_ns; now_ns = os::now_ns()) {
    const auto left_ns = due_ns - now_ns;
    if (left_ns > worth_sleeping_ns)
      os::sleep(std::chrono::nanoseconds(left_ns - wake_up_ns));
    else
      wait_shortly(shares_processor_);
  }
}

// What is sent at the same time arrives at the same time.
void delay::operate_together(std::span<const message> messages,
                             const std::function<void(std::size_t)>& carry_out) const {
  const auto other = std::ranges::find_if(messages, [this](const message& m) { return m.owner != self_; });
  if (other != messages.end()) operate(other->owner, 0, 0);
  for (std::size_t i = 0; i < messages.size(); ++i) carry_out(i);
}

void delay::give_way() const {
  os::yield();
}

} // namespace windrow::transport
