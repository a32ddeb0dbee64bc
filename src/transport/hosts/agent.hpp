// SPDX-License-Identifier: BSD-3-Clause
// Talks to the other hosts for all PEs of this one. It lives in the first of them: a thread of its own, and
// the PE itself whenever it waits. README.md has the protocol.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "transport/host/host_memory.hpp"
#include "transport/hosts/inward.hpp"
#include "transport/hosts/network.hpp"
#include "transport/hosts/outward.hpp"
#include "transport/hosts/peer_hosts.hpp"
#include "transport/hosts/processor_share.hpp"
#include "transport/hosts/wait_states.hpp"
#include "transport/hosts/wake_ups.hpp"

namespace windrow::transport {

class agent {
 public:
  /// `names`: of the hosts, for sentences. All must outlive the agent.
  agent(network&, const host_memory&, const host_map&, std::vector<std::string> names,
        const processor_share&);
  /// Waits for nobody: without `close`, this process leaves the job early.
  ~agent();
  agent(const agent&) = delete;
  agent& operator=(const agent&) = delete;

  /// Does now what there is to do, and returns true, unless another thread does; never waits. For threads of
  /// this process that wait, which saves them the time until the agent's own thread is awake.
  bool help();
  /// Helps if nobody has for a while. For threads that look for arrivals between other work.
  void help_now_and_then();
  /// To be called by a thread that has helped and is about to sleep.
  void hand_back();

  /// Returns when all PEs of this host have finalized and all other hosts have said good-bye. Without waiting
  /// where a PE has failed.
  void close();
  /// To be called when this process is about to end in mid-job: tells the other hosts which PE has died (-1:
  /// none). Returns when that and all before it is on its way, or after a second.
  void announce_end(pe_t lost);
  /// From now on nobody but the caller uses the network.
  void halt();

 private:
  void run();
  bool help(int looks);
  /// Whether there was anything to do; nothing if another thread has the turn.
  std::optional<bool> try_turn(int looks);
  bool turn(int looks);
  void idle(int turns);
  bool may_stay_awake(int turns);
  bool is_in_the_way();
  void keep_alive();
  void judge_silence(std::uint64_t now_ns);
  void follow(const inward::loss&);
  bool is_over();
  void tell_end();

  host_memory memory_;
  const host_map& map_;
  peer_hosts others_;
  wake_ups wake_ups_;
  outward outward_;
  wait_states waits_;
  inward inward_;
  const processor_share& processors_;
  std::uint64_t silence_limit_ns_; ///< with silence of another host; 0: for ever
  bool silence_said_ = false;
  std::uint64_t next_sign_ns_ = 0;
  bool bye_said_ = false;
  std::mutex one_at_a_time_;                     ///< who takes a turn
  std::atomic<std::uint64_t> next_look_ns_ = 0;  ///< that helps, at the latest
  std::atomic<std::uint64_t> last_event_ns_ = 0; ///< 0: it has woken somebody
  std::atomic<std::uint32_t> helped_ = 0;        ///< turns that another thread has taken lately
  std::chrono::nanoseconds nap_;                 ///< of the agent's thread while others take turns
  std::uint64_t looked_ns_ = 0;                  ///< when the agent's thread found nothing, if it spins since
  std::uint64_t yields_until_ns_ = 0;            ///< somebody else needs the processors
  std::atomic<bool> closing_ = false, gives_up_ = false;
  std::atomic<pe_t> lost_ = -1;
  std::atomic<bool> ending_ = false, end_told_ = false, halted_ = false;
  std::thread thread_;
};

} // namespace windrow::transport
