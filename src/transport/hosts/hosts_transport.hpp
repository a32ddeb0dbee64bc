// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "transport/foreign/guard.hpp"
#include "transport/foreign/meeting.hpp"
#include "transport/hosts/agent.hpp"
#include "transport/hosts/network.hpp"
#include "transport/hosts/other_hosts.hpp"
#include "transport/transport.hpp"

namespace windrow::transport {

/// PEs on several hosts. With those of its own host a PE shares memory, as in `shm`; what is for others goes
/// to the agent of the host. README.md has the protocol.
class hosts_transport final : public transport {
 public:
  struct parts {
    std::string name;
    std::unique_ptr<network> net;
    std::unique_ptr<host_map> map;
    std::vector<std::string> host_names;
    meeting_result met;
  };
  explicit hosts_transport(parts&&);
  ~hosts_transport() override;
  hosts_transport(const hosts_transport&) = delete;
  hosts_transport& operator=(const hosts_transport&) = delete;

  std::string_view name() const override { return inner_->name(); }
  pe_t pe() const override { return inner_->pe(); }
  pe_t pes() const override { return inner_->pes(); }
  const segments& symmetric() const override { return inner_->symmetric(); }
  void adopt(std::byte* begin, std::size_t bytes, std::size_t offset) override {
    inner_->adopt(begin, bytes, offset);
  }
  host_memory& host() override { return inner_->host(); }
  other_hosts* elsewhere() const override { return others_.get(); }

  std::size_t block_capacity() const override { return inner_->block_capacity(); }
  block* acquire() override { return inner_->acquire(); }
  void discard(block* b) override { inner_->discard(b); }
  void commit(block*, pe_t to) override;
  block* receive() override { return inner_->receive(); }
  bool has_arrivals() const override { return inner_->has_arrivals(); }
  void send_home(block*) override;
  std::uint32_t pool_index(const block* b) const override { return inner_->pool_index(b); }
  std::uint32_t pool_size() const override { return inner_->pool_size(); }

  void ring(pe_t) override;
  std::uint32_t prepare_sleep() override { return inner_->prepare_sleep(); }
  void sleep(std::uint32_t ticket, std::chrono::nanoseconds limit) override { inner_->sleep(ticket, limit); }
  void cancel_sleep() override { inner_->cancel_sleep(); }

  pe_state state_of(pe_t pe) const override { return inner_->state_of(pe); }
  /// The state `finalized` waits for all hosts.
  void set_state(pe_state) override;
  void end_job() override;
  wait_record& waiting(pe_t pe) override { return inner_->waiting(pe); }

  /// Ends the process with a sentence if this PE has neither finalized nor ended the job. For the time when
  /// the program exits.
  void ended_early();

 private:
  void leave();

  std::unique_ptr<network> net_;
  std::unique_ptr<host_map> map_;
  std::unique_ptr<transport> inner_;
  std::unique_ptr<other_hosts> others_;
  std::unique_ptr<agent> agent_; ///< in the first PE of a host
  std::unique_ptr<guard> guard_;
};

} // namespace windrow::transport
