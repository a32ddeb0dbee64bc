// SPDX-License-Identifier: BSD-3-Clause
// How long a PE computes by itself, between its calls, from one event to another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "overlap/recording.hpp"

namespace windrow::overlap {

class own_work {
 public:
  explicit own_work(const std::vector<event>& events) : events_(events) {
    in_calls_before_.reserve(events.size() + 1);
    recorder_before_.reserve(events.size() + 1);
    for (const auto& one : events) {
      in_calls_before_.push_back(in_calls_before_.back() + one.end_ns - one.begin_ns);
      recorder_before_.push_back(recorder_before_.back() + one.recorder_ns);
    }
  }

  /// From the end of event `from` to the begin of event `to`, or to the end of the run behind the last one.
  std::uint64_t between(std::size_t from, std::size_t to) const {
    if (to <= from || events_.empty()) return 0;
    const auto until = to < events_.size() ? events_[to].begin_ns : events_.back().end_ns;
    const auto all = until - std::min(until, events_[from].end_ns);
    const auto in_calls = in_calls_before_[to] - in_calls_before_[from + 1];
    const auto recorder = recorder_before_[std::min(to + 1, events_.size())] - recorder_before_[from + 1];
    return all - std::min(all, in_calls + recorder);
  }

 private:
  const std::vector<event>& events_;
  std::vector<std::uint64_t> in_calls_before_{0}, recorder_before_{0};
};

} // namespace windrow::overlap
