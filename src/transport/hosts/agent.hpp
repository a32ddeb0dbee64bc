// SPDX-License-Identifier: BSD-3-Clause
// One thread of each host that talks to the other hosts, for all PEs of the host. It runs in the first of
// them. README.md has the protocol.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "transport/host/host_memory.hpp"
#include "transport/hosts/mail.hpp"
#include "transport/hosts/network.hpp"
#include "transport/hosts/other_hosts.hpp"

namespace windrow::transport {

class agent {
 public:
  /// `names`: of the hosts, for sentences. All must outlive the agent.
  agent(network&, const host_memory&, const host_map&, std::vector<std::string> names);
  /// Returns when all PEs of this host have finalized and all other hosts have said good-bye. Without waiting
  /// where a PE has failed.
  ~agent();
  agent(const agent&) = delete;
  agent& operator=(const agent&) = delete;

  /// What the destructor does.
  void close();
  /// To be called when this process is about to end in mid-job: tells the other hosts which PE has died (-1:
  /// none). Returns when that and all before it is on its way, or after a second.
  void announce_end(pe_t lost);

 private:
  struct other_host {
    outgoing_mail mail;
    std::uint64_t heard_ns;
    bool said_bye = false;
  };

  void run();
  bool turn();
  void idle(int turns);
  bool send_mail();
  void keep_alive();
  bool is_over();
  void tell_end();
  [[noreturn]] void end(const std::string& sentence);

  // For other hosts.
  bool take_entries();
  void forward(const block&, std::uint32_t number);
  void forward(request&, std::uint32_t number);
  void forward_part(const request&);
  void leave(const record&);
  outgoing_mail& mail_to(pe_t pe) { return hosts_[index_of(pe)].mail; }
  std::size_t index_of(pe_t pe) const {
    return static_cast<std::size_t>(map_.host_of[static_cast<std::size_t>(pe)]);
  }
  template <class Fill>
  void tell_all(const record&, Fill);

  // From other hosts.
  bool read_mail();
  void read(const std::byte* text, std::size_t bytes, int host);
  void obey(const record&, const std::byte* content, int host);
  void deliver(const record&, const std::byte* content);
  void bring_home(const record&, const std::byte* content);
  void take_answer(const record&, const std::byte* content);
  void take_part(const record&, const std::byte* content);
  std::byte* place(const record& r) const {
    return segments_.first + static_cast<std::size_t>(r.to) * segments_.stride + r.offset;
  }
  void ring_here();

  network& net_;
  host_memory memory_;
  const host_map& map_;
  std::vector<std::string> names_;
  segments segments_;
  std::deque<other_host> hosts_; ///< by number; that of this host is not used
  std::vector<int> host_of_rank_;
  std::vector<std::uint32_t> entries_;
  std::uint64_t patience_ns_;
  std::uint64_t next_sign_ns_ = 0;
  bool bye_said_ = false;
  std::atomic<bool> closing_ = false;
  std::atomic<pe_t> lost_ = -1;
  std::atomic<bool> ending_ = false, end_told_ = false;
  std::thread thread_;
};

} // namespace windrow::transport
