// SPDX-License-Identifier: BSD-3-Clause
// Diagnosis of waits that do not end, instead of a debugger attached to every process.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "transport/transport.hpp"

namespace windrow::pgas {

/// What a wait is for.
struct wait_reason {
  const transport::wait_kind& kind; ///< of static storage
  pe_t target = -1;                 ///< the PE waited for, -1: several or any
  std::uint32_t object = 0;         ///< number of the team, context, stream or mailbox
};

/// The waits of this room.
inline constexpr transport::wait_kind for_barrier{.text = "the others in a barrier of team {object}",
                                                  .suspends = true};
inline constexpr transport::wait_kind for_collective{.text = "the others in a collective of team {object}",
                                                     .suspends = true};
inline constexpr transport::wait_kind for_value{
    .text = "a value in its memory to change", .needs_all_pes = false, .rings = false, .suspends = true};

/// Ends the job because a task, thread or process wants to do `what` that may not.
[[noreturn]] void forbid_thread_to(const std::string& what);
/// Ends the job because code wants to wait that may not: a task that was not given to the communication
/// worker, or a thread or process that is no PE; a handler of messages; a continuation of a fetching
/// operation.
[[noreturn]] void forbid_thread_to_wait(wait_reason);
[[noreturn]] void forbid_handler_to_wait(wait_reason);
[[noreturn]] void forbid_continuation_to_wait(wait_reason);

class watchdog {
 public:
  explicit watchdog(transport::transport&);

  /// Around every long wait.
  void begin(wait_reason);
  void note_progress();
  /// Waits that begin from now on go on with one that began then, or moved last; 0: they are new ones.
  /// Returns when something has moved last.
  std::uint64_t go_on_since(std::uint64_t since_ns) {
    goes_on_since_ns_ = since_ns;
    return quiet_since_ns_;
  }
  /// The wait that is under way is a part of a longer one.
  bool goes_on() const { return goes_on_since_ns_ != 0; }
  void end(wait_reason);

  /// Called about every 100 ms of a sleeping wait, and at the end of each part of one: reports, once per
  /// stall and for all PEs, when nothing has moved for WINDROW_STALL_SECONDS in which this process ran.
  /// `list_waiting` is what each PE adds for itself.
  void check(const std::function<std::string()>& list_waiting);
  /// From now on such a report ends the job, for this reason.
  void end_job_when_stalled(const char* why) { ends_job_because_ = why; }

  /// Where PEs take turns (transport/sim) and none can go on: says what each waits for, and ends the job.
  [[noreturn]] void end_stuck_job() const;

  /// A PE that has left the job although this wait needs everyone, or -1. It may have left because the wait
  /// is over: look again before calling `abandon`.
  pe_t departed(wait_reason) const;
  /// Ends the job because of that; a moment later if `departed` has failed and may still say why.
  [[noreturn]] void abandon(wait_reason, pe_t departed) const;

 private:
  void end_stall();
  void leave_out_absence(std::uint64_t now);
  std::string describe(pe_t pe, std::uint64_t now) const;
  std::string describe_all(std::uint64_t now) const;

  transport::transport& link_;
  std::uint64_t limit_ns_;       ///< 0: never
  const char* ends_job_because_; ///< null: a stall does not end the job
  // Atomic, because several threads of a PE may wait; their waits then share one record.
  std::atomic<std::uint64_t> quiet_since_ns_ = 0;
  std::atomic<std::uint64_t> looked_ns_ = 0;
  std::atomic<bool> reported_ = false;
  std::atomic<std::uint64_t> goes_on_since_ns_ = 0;
};

} // namespace windrow::pgas
