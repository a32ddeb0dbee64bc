// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <queue>
#include <vector>

#include "transport/hook/distance.hpp"
#include "transport/transport.hpp"

namespace windrow::transport {

/// Another transport whose PEs are further apart: blocks between different PEs arrive no earlier than the
/// distance after they left, outward and homeward. Everything else is the other transport's. The delays of
/// direct operations and collectives are up to those who carry them out (`far`). README.md has the model.
class hook_transport final : public transport {
 public:
  /// To be made by the thread that waits.
  hook_transport(std::unique_ptr<transport> inner, distance);

  const distance* far() const override { return &far_; }
  std::string_view name() const override { return inner_->name(); }
  pe_t pe() const override { return inner_->pe(); }
  pe_t pes() const override { return inner_->pes(); }
  const segments& symmetric() const override { return inner_->symmetric(); }
  void adopt(std::byte* begin, std::size_t bytes, std::size_t offset) override {
    inner_->adopt(begin, bytes, offset);
  }
  host_memory& host() override { return inner_->host(); }
  other_hosts* elsewhere() const override { return inner_->elsewhere(); }

  std::size_t block_capacity() const override { return inner_->block_capacity(); }
  block* acquire() override { return inner_->acquire(); }
  void discard(block* b) override { inner_->discard(b); }
  void commit(block* b, pe_t to) override { inner_->commit(b, to); }
  block* receive() override;
  bool has_arrivals() const override;
  void send_home(block*) override;
  std::uint32_t pool_index(const block* b) const override { return inner_->pool_index(b); }
  std::uint32_t pool_size() const override { return inner_->pool_size(); }

  void ring(pe_t pe) override { inner_->ring(pe); }
  std::uint32_t prepare_sleep() override { return inner_->prepare_sleep(); }
  void sleep(std::uint32_t ticket, std::chrono::nanoseconds limit) override;
  void cancel_sleep() override { inner_->cancel_sleep(); }

  pe_state state_of(pe_t pe) const override { return inner_->state_of(pe); }
  void set_state(pe_state state) override { inner_->set_state(state); }
  void end_job() override { inner_->end_job(); }
  wait_record& waiting(pe_t pe) override { return inner_->waiting(pe); }

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

  std::unique_ptr<transport> inner_;
  distance far_;
  std::priority_queue<held_block> held_;
  std::uint64_t arrivals_ = 0;
  std::atomic<std::uint64_t> next_due_ns_ = never; ///< of `held_`: threads that wait look at it
};

/// `inner` at the distance that WINDROW_DELAY says, or as it is without that variable.
std::unique_ptr<transport> with_delay(std::unique_ptr<transport> inner);

} // namespace windrow::transport
