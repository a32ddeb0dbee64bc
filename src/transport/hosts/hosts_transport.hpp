// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "transport/foreign/guard.hpp"
#include "transport/foreign/rendezvous.hpp"
#include "transport/forwarding.hpp"
#include "transport/hosts/agent.hpp"
#include "transport/hosts/network.hpp"
#include "transport/hosts/other_hosts.hpp"

namespace windrow::transport {

/// PEs on several hosts. With those of its own host a PE shares memory, as in `shm`; what is for others goes
/// to the agent of the host. README.md has the protocol.
class hosts_transport final : public forwarding_transport {
 public:
  struct parts {
    std::string name;
    std::unique_ptr<network> net;
    std::unique_ptr<host_map> map;
    std::vector<std::string> host_names;
    int hosts_of_machine; ///< that share its processors, as containers do
    rendezvous_result met;
  };
  explicit hosts_transport(parts&&);
  ~hosts_transport() override;
  hosts_transport(const hosts_transport&) = delete;
  hosts_transport& operator=(const hosts_transport&) = delete;

  other_hosts* remote_hosts() const override { return others_.get(); }
  void commit(block*, pe_t to) override;
  void send_home(block*) override;
  /// A PE that waits does the work of the agent meanwhile.
  block* receive() override;
  void sleep(std::uint32_t ticket, std::chrono::nanoseconds limit) override;
  void ring(pe_t) override;
  /// The state `finalized` waits for all hosts.
  void set_state(pe_state) override;
  bool may_rest() const override { return false; } // MPI says good-bye once
  void end_job() override;

  /// Ends the process with a sentence if this PE has neither finalized nor ended the job. For the time when
  /// the program exits.
  void ended_early();

 private:
  void leave();
  /// For a job that ends before it is finalized, but not because of a failure.
  void leave_early();
  bool is_rung(std::uint32_t ticket, std::chrono::nanoseconds limit);

  std::uint64_t awake_ns_ = 100'000;
  std::unique_ptr<network> net_;
  std::unique_ptr<host_map> map_;
  std::unique_ptr<processor_share> processors_;
  std::unique_ptr<other_hosts> others_;
  std::unique_ptr<agent> agent_; ///< in the first PE of a host
  std::unique_ptr<guard> guard_;
};

} // namespace windrow::transport
