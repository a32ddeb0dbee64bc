// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <queue>
#include <vector>

#include "transport/forwarding.hpp"
#include "transport/hook/latency_model.hpp"

namespace windrow::transport {

/// Another transport whose PEs are further apart: blocks between different PEs arrive no earlier than the
/// distance after they left, outward and homeward. Everything else is the other transport's. The delays of
/// direct operations and collectives are up to those who carry them out (`latency`). README.md has the model.
class hook_transport final : public forwarding_transport {
 public:
  /// To be made by the thread that waits. `shares_processor`: there are more PEs than processors.
  hook_transport(std::unique_ptr<transport> inner, std::uint64_t one_way_ns, bool shares_processor);

  const latency_model* latency() const override { return &latency_; }
  block* receive() override;
  bool has_arrivals() const override;
  void send_home(block*) override;
  void sleep(std::uint32_t ticket, std::chrono::nanoseconds limit) override;

 private:
  struct held_block {
    std::uint64_t due_ns;
    std::uint64_t order; ///< of arrival: blocks of one sender stay in theirs
    block* content;
    friend bool operator<(const held_block& a, const held_block& b) {
      return std::pair(a.due_ns, a.order) > std::pair(b.due_ns, b.order); // the earliest on top
    }
  };
  static constexpr auto never = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t due_ns(const block*) const;
  void hold_arrivals();

  delay latency_;
  std::priority_queue<held_block> held_;
  std::uint64_t arrivals_ = 0;
  std::atomic<std::uint64_t> next_due_ns_ = never; ///< of `held_`: threads that wait look at it
};

/// `inner` at the distance that WINDROW_DELAY says, or as it is without that variable.
std::unique_ptr<transport> with_delay(std::unique_ptr<transport> inner);

} // namespace windrow::transport
