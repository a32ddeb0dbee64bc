// SPDX-License-Identifier: BSD-3-Clause
// The other hosts as the agent of this one knows them: what is to go to each, and when it was last heard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "transport/hosts/host_map.hpp"
#include "transport/hosts/network.hpp"
#include "transport/hosts/outgoing_messages.hpp"

namespace windrow::transport {

class peer_hosts {
 public:
  /// `names`: of the hosts, for sentences. The others must outlive it.
  peer_hosts(network&, const host_map&, std::vector<std::string> names);

  /// Appends a record to what goes to the host of `pe`; returns where its content goes.
  std::byte* append(pe_t pe, const record& r) { return at(map_.of(pe)).outgoing.append(r); }
  /// Appends a record to what goes to each other host, with its `bytes` bytes of content if there are any.
  void tell_all(const record&, const void* content = nullptr);
  /// See outgoing_messages.
  bool send(bool all);
  /// See outgoing_messages; for any of them.
  bool is_sending() const;
  /// Whether all that was said has left.
  bool is_empty() const;

  /// Which host this rank of the network is on.
  int host_of_rank(int rank) const { return map_.of(static_cast<pe_t>(rank)); }
  const std::string& name(int host) const { return names_[static_cast<std::size_t>(host)]; }
  void heard(int host, std::uint64_t now_ns) { at(host).heard_ns = now_ns; }
  void said_bye(int host) { at(host).said_bye = true; }
  bool all_said_bye() const;
  struct silence {
    int host;
    std::uint64_t ns;
  };
  /// The host that has been silent for longest, if any has not said bye.
  std::optional<silence> longest_silence(std::uint64_t now_ns) const;
  /// For a time this process could not have heard anybody: nobody's silence counts it.
  void was_deaf(std::uint64_t ns);

 private:
  struct other_host {
    outgoing_messages outgoing;
    std::uint64_t heard_ns;
    bool said_bye = false;
  };
  other_host& at(int host) { return hosts_[static_cast<std::size_t>(host)]; }
  template <class Condition>
  bool all_others(Condition) const;

  const host_map& map_;
  std::vector<std::string> names_;
  std::deque<other_host> hosts_; ///< by number; that of this host is not used
};

} // namespace windrow::transport
