// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>

namespace windrow {

namespace tasks {
class worker;
}

/// How long the code around it computes: the time since it was made, without that in which its light thread
/// was suspended, or its task waited for tasks, futures or branches. For balancing by what work has cost.
///
///     windrow::busy_time time;
///     relax(object);                    // may wait
///     object.cost += time.so_far();
///
/// By the clock, which in a simulated network is the simulated one: what the system runs in between counts,
/// and so does what main code and tasks wait for on their own stack without running tasks (barriers,
/// messages). One may lie inside another. An object stays in the block that it was made in, and is used
/// there, with no co_await before its end; on any worker of a PE. Otherwise the job ends with a sentence.
/// What does not measure pays two instructions for each suspension.
class busy_time {
 public:
  busy_time();
  ~busy_time();
  busy_time(const busy_time&) = delete;
  busy_time& operator=(const busy_time&) = delete;

  std::chrono::nanoseconds so_far() const;

 private:
  friend class tasks::worker;

  std::uint64_t now_ns() const;
  /// This one, and those around it.
  void stop();
  void go_on();

  tasks::worker& here_;
  busy_time* const outer_;
  std::uint64_t since_ns_ = now_ns(), before_ns_ = 0;
};

} // namespace windrow
