// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hook/hook_transport.hpp"

#include <algorithm>
#include <utility>

#include "base/options.hpp"
#include "os/cpu.hpp"
#include "transport/hook/short_wait.hpp"
#include "transport/host/host_memory.hpp"

namespace windrow::transport {

hook_transport::hook_transport(std::unique_ptr<transport> inner, std::uint64_t one_way_ns,
                               bool shares_processor)
    : forwarding_transport(std::move(inner)), latency_(pe(), one_way_ns, shares_processor) {
  os::sleep_precisely();
}

// Nothing is between a PE and itself.
std::uint64_t hook_transport::due_ns(const block* b) const {
  const auto from = b->home != 0 ? b->target : b->source;
  return from == pe() ? 0 : b->sent_ns + latency_.one_way_ns();
}

void hook_transport::hold_arrivals() {
  while (auto* arrived = inner_->receive()) held_.push({due_ns(arrived), arrivals_++, arrived});
}

block* hook_transport::receive() {
  hold_arrivals();
  block* due = nullptr;
  if (!held_.empty() && held_.top().due_ns <= os::now_ns()) {
    due = held_.top().content;
    held_.pop();
  }
  next_due_ns_.store(held_.empty() ? never : held_.top().due_ns, std::memory_order_relaxed);
  return due;
}

bool hook_transport::has_arrivals() const {
  return inner_->has_arrivals() || next_due_ns_.load(std::memory_order_relaxed) <= os::now_ns();
}

void hook_transport::send_home(block* b) {
  b->sent_ns = os::now_ns();
  inner_->send_home(b);
}

// Nobody rings when a held block is due.
void hook_transport::sleep(std::uint32_t ticket, std::chrono::nanoseconds limit) {
  const auto now_ns = os::now_ns();
  const auto due_ns = std::max(next_due_ns_.load(std::memory_order_relaxed), now_ns);
  const auto left_ns = std::min(due_ns - now_ns, static_cast<std::uint64_t>(limit.count()));
  if (left_ns > worth_sleeping_ns)
    return inner_->sleep(ticket, std::chrono::nanoseconds(left_ns - wake_up_ns));
  inner_->cancel_sleep();
  wait_shortly(latency_.shares_processor());
}

std::unique_ptr<transport> with_delay(std::unique_ptr<transport> inner) {
  const auto one_way_ns = base::duration_option("WINDROW_DELAY");
  if (!one_way_ns) return inner;
  const bool shares_processor = inner->pes() > inner->host().processors();
  return std::make_unique<hook_transport>(std::move(inner), *one_way_ns, shares_processor);
}

} // namespace windrow::transport
