// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/wake_ups.hpp"

#include "os/futex.hpp"

namespace windrow::transport {

void wake_ups::settle(request& r, request_phase phase) {
  const auto pe = r.from; // the request may be somebody else's at once
  const auto before = r.phase.exchange(static_cast<std::uint32_t>(phase), std::memory_order_acq_rel);
  if ((before & request_awaited) == 0) return;
  memory_.control(pe).bell.count_out();
  wake(pe, r.phase);
}

// As transport::ring, in two steps: nobody falls asleep on the bell from now on.
void wake_ups::ring(pe_t pe) {
  auto& bell = memory_.control(pe).bell;
  if (bell.announce()) wake(pe, bell.word());
}

void wake_ups::wake(pe_t pe, const std::atomic<std::uint32_t>& word) {
  any_ = true;
  if (pe != own_)
    os::futex_wake(word);
  else if (late_.empty() || late_.back() != &word)
    late_.push_back(&word);
}

void wake_ups::wake(const words& all) {
  for (const auto* word : all) os::futex_wake(*word);
}

} // namespace windrow::transport
