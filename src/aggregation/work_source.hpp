// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "transport/wait_record.hpp"

namespace windrow::aggregation {

/// Work of this PE other than messages, such as tasks and deferred code, that handlers may start and that may
/// send. The engine's completion waits for it and runs it. Called on the thread that uses the engine only.
class work_source {
 public:
  virtual ~work_source() = default;

  /// There is work that the caller must wait for. False if the caller is itself part of it.
  virtual bool pending() const = 0;
  /// `run` would find something to run.
  virtual bool ready() const = 0;
  /// Runs what is ready, and what that makes ready in turn.
  virtual void run() = 0;
  /// Number of pieces of work created so far, not counting those that come from messages, which are counted
  /// as such. Exact when nothing is pending.
  virtual std::uint64_t started() const = 0;

  /// Whether it goes on also while this PE waits for a value that others store, or for their sums.
  virtual bool runs_in_all_waits() const { return false; }
  /// Some of it may run on the stack of what waits at the moment (`core::lets_tasks_run`), since other PEs
  /// may wait for it.
  virtual bool can_help() { return false; }
  /// Runs a piece of that.
  virtual void help() {}
  /// Called after messages were handled: runs some of what they have started, if that is too much to keep.
  virtual void messages_handled() {}
  /// Called when the program sends, after the inbox was looked at: runs what messages have made ready.
  virtual void inbox_served() {}
  /// All of it is to be completed on this thread, whichever has issued it. Ends the job if some of it cannot
  /// be complete because the program is still issuing it.
  virtual void require_complete() {}
  /// Adds what the report of a stall should say of it. On any thread, while no other one runs it.
  virtual void describe(transport::wait_details&) const {}
  /// Lines for the same, as of `progress_source::list_waiting`.
  virtual std::string list_waiting() const { return {}; }
};

} // namespace windrow::aggregation
