// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "pgas/core.hpp"
#include "pgas/team_state.hpp"
#include "trace/recorder.hpp"
#include "windrow/detail/direct_operation.hpp"

namespace windrow::pgas {

/// A call by which PEs or threads synchronize, as long as it lasts: an event of the trace, and what the
/// report of a stall says of the wait in it. Those that another one makes are part of it.
class synchronization {
 public:
  /// `object` is the number of the team, context or stream, if it has one.
  synchronization(core& c, detail::caller by, std::uint32_t object = 0)
      : core_(c),
        outer_(current_call),
        span_(outer_ == nullptr ? c.trace() : nullptr,
              {by.operation, trace::category::synchronization, by.site, -1, object, 0}),
        by_(by) {
    if (outer_ != nullptr) return;
    current_call = &by_;
    if (core_.follows_calls()) core_.link().enter_call(by.operation);
  }
  /// Of a team. Ends the job if that is closed.
  synchronization(const team_state& t, detail::caller by)
      : synchronization(t.open_owner(by.operation), by, t.id()) {}
  ~synchronization() {
    current_call = outer_;
    if (outer_ != nullptr) return;
    core_.begin_phase(by_.site);
    if (core_.follows_calls()) core_.link().leave_call();
  }
  synchronization(const synchronization&) = delete;
  synchronization& operator=(const synchronization&) = delete;

 private:
  core& core_;
  const detail::caller* outer_;
  trace::span span_;
  detail::caller by_;
};

/// As long as it lives, what the library asks of other PEs for itself, such as numbers for a report, is no
/// call of the program.
class own_questions {
 public:
  explicit own_questions(core& c) : core_(c) {
    if (core_.follows_calls()) core_.link().enter_call(nullptr);
  }
  ~own_questions() {
    if (core_.follows_calls()) core_.link().leave_call();
  }
  own_questions(const own_questions&) = delete;
  own_questions& operator=(const own_questions&) = delete;

 private:
  core& core_;
};

} // namespace windrow::pgas
