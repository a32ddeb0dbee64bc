// SPDX-License-Identifier: BSD-3-Clause
// A team as one of its members sees it. The protocol is in README.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "pgas/collective_call.hpp"
#include "pgas/core.hpp"
#include "pgas/strided_pes.hpp"
#include "pgas/team_slots.hpp"
#include "transport/host/host_memory.hpp"
#include "windrow/types.hpp"

namespace windrow::pgas {

/// Members are numbered 0 … pes() - 1. All state that they share is in their team slots number `id`.
class team_state {
 public:
  /// All PEs of the job.
  explicit team_state(core& owner);
  /// A team whose members have agreed on a slot, and taken it, by other means than `split`; `like` is any
  /// team of this PE.
  team_state(const team_state& like, std::uint32_t id, strided_pes members)
      : team_state(like.core_, like.slots_, id, members) {}
  /// One bit for each slot that this PE could use for another team now.
  std::uint64_t free_slots() const { return slots_->free(); }
  /// False: it is none of those any more. Else it is for a team that this PE makes, or is given back.
  bool take_slot(std::uint32_t id) const { return slots_->take(id); }
  void give_slot_back(std::uint32_t id) const { slots_->give_back(id); }
  /// Gives the slot back; never waits.
  ~team_state();
  team_state(const team_state&) = delete;
  team_state& operator=(const team_state&) = delete;

  core& owner() const { return core_; }
  /// Before anything is done with it: ends the job, naming `call`, if the job is closed already: then the
  /// core may be gone.
  core& open_owner(const char* call) const {
    if (!*job_is_open_) [[unlikely]]
      refuse_closed(call);
    return core_;
  }
  std::uint32_t id() const { return id_; }
  pe_t pe() const { return pe_; }
  pe_t pes() const { return members_.size; }
  /// The members by their numbers in the job.
  const strided_pes& members() const { return members_; }
  /// Whether there are members on other hosts.
  bool spans_hosts() const { return spread_; }

  /// See team::split_strided; null for those outside the new team.
  std::shared_ptr<team_state> split(pe_t start, pe_t stride, pe_t size);

  void barrier() { step({collective::barrier}); }
  void barrier_notify();
  void barrier_wait();

  // For collectives: fill `outgoing`, `step`, then read `incoming`. What `outgoing` and `incoming` give holds
  // until the next step.

  /// Where the `bytes` bytes go that this member shows to the others in the next step: inline_bytes at most,
  /// aligned to 64.
  std::byte* outgoing(std::size_t bytes) { return part(pe_, phase_).data(bytes); }
  /// The `bytes` bytes that `member` showed in the last step.
  const std::byte* incoming(pe_t member, std::size_t bytes) { return part(member, phase_ - 1).data(bytes); }
  /// In the next step this member also shows the first `bytes` bytes of its bounce buffer `turn`.
  void show_bounced(std::size_t bytes, int turn) {
    bounced_bytes_ = static_cast<std::uint32_t>(bytes);
    bounced_turn_ = static_cast<std::uint32_t>(turn);
  }
  /// A barrier, on which the members agree what it belongs to.
  void step(const collective_call&);
  /// A step, in which members show bits: those that all of them have.
  std::uint64_t common_to_all(std::uint64_t bits, const collective_call&);

  // Broadcasts without a step, of inline_bytes at most: the root goes on at once.

  /// Whether the next one may be such. The same on all members.
  bool broadcasts_ahead(std::size_t bytes) const {
    return bytes <= transport::inline_bytes && broadcasts_ < transport::broadcasts_per_step && !spread_ &&
           core_.latency() == nullptr && !core_.checks();
  }
  void show_ahead(const collective_call&, const std::byte* data);
  /// On the others than the root.
  void receive(const collective_call&, std::byte* data);

  /// Ends the job unless `member` is one; `call` and `argument` name the guilty call.
  void require_member(pe_t member, const char* call, const char* argument) const;

 private:
  team_state(core& owner, std::shared_ptr<team_slots> slots, std::uint32_t id, strided_pes members);

  /// The part of `member`'s slot that belongs to the step that begins at `phase`.
  transport::collective_slot& part(pe_t member, std::uint64_t phase) const {
    return core_.host().slot(members_.at(member), id_).parts[phase % 2];
  }
  void require_ready(const collective_call&) const;
  [[noreturn]] void refuse_closed(const char* call) const;
  [[noreturn]] void refuse_closed(const std::string& call) const;
  void require_alone(const collective_call&) const;
  void arrive(const collective_call&);
  void complete(const collective_call&);
  bool all_arrived();
  void count_arrival(std::uint64_t now_ns);
  /// That of the next broadcast without a step.
  transport::broadcast_slot& broadcast_of(pe_t root) const {
    return core_.host().slot(members_.at(root), id_).broadcasts[broadcasts_];
  }
  void ring_others();
  void end_broadcast();
  /// Of the other members, in the last step.
  std::uint64_t latest_arrival_ns() const;
  void await_signals(const collective_call&);
  bool is_spread() const;
  void show();
  void compare();
  static constexpr std::uint32_t no_slot = transport::max_teams;
  std::uint32_t take_slot_on_all(bool including_mine, const collective_call&);
  std::uint64_t slots_free_on_all(bool including_mine, const collective_call&);

  core& core_;
  std::shared_ptr<const bool> job_is_open_;
  std::shared_ptr<team_slots> slots_;
  std::uint32_t id_;
  strided_pes members_;
  pe_t pe_;
  transport::team_slot& first_;  ///< the first member's, which counts the members out
  std::uint64_t phase_ = 0;      ///< steps completed
  std::uint32_t broadcasts_ = 0; ///< without a step, since the last one
  pe_t seen_ = 0;                ///< members 0 … seen_ - 1 are known to have arrived in the current step
  std::uint32_t generation_;     ///< `first_.generation` as long as a member has not released the team
  const bool take_turns_;        ///< the members, hence they are counted
  bool spread_; ///< there are members on other hosts, which must be told what they cannot see
  std::uint32_t bounced_bytes_ = 0, bounced_turn_ = 0;
  bool notified_ = false; ///< between barrier_notify and barrier_wait
  bool waits_ = false;    ///< this member is in a call, and waits for the others
};

/// Throws windrow::error: there is no slot for another team of so many PEs.
[[noreturn]] void refuse_team(pe_t size);

} // namespace windrow::pgas
