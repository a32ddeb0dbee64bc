// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>

#include "transport/transport.hpp"

namespace windrow::transport {

/// A transport that changes some of what another one does: everything is the other's, but for what the
/// derived class overrides, and what `transport` makes of the rest (`sleep_until`, `make_remote`,
/// `set_bulk`).
class forwarding_transport : public transport {
 public:
  std::string_view name() const override { return inner_->name(); }
  pe_t pe() const override { return inner_->pe(); }
  pe_t pes() const override { return inner_->pes(); }
  const segments& symmetric() const override { return inner_->symmetric(); }
  void adopt(std::byte* begin, std::size_t bytes, std::size_t offset) override {
    inner_->adopt(begin, bytes, offset);
  }
  void disown() override { inner_->disown(); }
  host_memory& host() override { return inner_->host(); }
  const latency_model* latency() const override { return inner_->latency(); }
  other_hosts* remote_hosts() const override { return inner_->remote_hosts(); }
  bool is_plain() const override { return transport::is_plain() && inner_->is_plain(); }
  bool shares_addresses() const override {
    return transport::shares_addresses() && inner_->shares_addresses();
  }

  std::size_t block_capacity() const override { return inner_->block_capacity(); }
  block* acquire() override { return inner_->acquire(); }
  void discard(block* b) override { inner_->discard(b); }
  void commit(block* b, pe_t to) override { inner_->commit(b, to); }
  block* receive() override { return inner_->receive(); }
  bool has_arrivals() const override { return inner_->has_arrivals(); }
  void send_home(block* b) override { inner_->send_home(b); }
  std::uint32_t pool_index(const block* b) const override { return inner_->pool_index(b); }
  std::uint32_t pool_size() const override { return inner_->pool_size(); }

  void ring(pe_t pe) override { inner_->ring(pe); }
  std::uint32_t prepare_sleep() override { return inner_->prepare_sleep(); }
  void sleep(std::uint32_t ticket, std::chrono::nanoseconds limit) override { inner_->sleep(ticket, limit); }
  void cancel_sleep() override { inner_->cancel_sleep(); }
  std::uint64_t now_ns() override { return inner_->now_ns(); }
  std::uint64_t told_ns() override { return inner_->told_ns(); }
  bool takes_turns() const override { return inner_->takes_turns(); }
  bool is_stuck() const override { return inner_->is_stuck(); }
  void compute(std::uint64_t ns) override { inner_->compute(ns); }
  bool follows_calls() const override { return inner_->follows_calls(); }
  void enter_call(const char* name) override { inner_->enter_call(name); }
  void leave_call() override { inner_->leave_call(); }
  void charge_by(counters& c) override { inner_->charge_by(c); }

  pe_state state_of(pe_t pe) const override { return inner_->state_of(pe); }
  void set_state(pe_state state) override { inner_->set_state(state); }
  bool may_rest() const override { return inner_->may_rest(); }
  void end_job() override { inner_->end_job(); }
  wait_record& waiting(pe_t pe) override { return inner_->waiting(pe); }

 protected:
  /// Without the other one, which the derived class makes before anything is called.
  forwarding_transport() = default;
  explicit forwarding_transport(std::unique_ptr<transport> inner) : inner_(std::move(inner)) {}

  std::unique_ptr<transport> inner_;
};

} // namespace windrow::transport
