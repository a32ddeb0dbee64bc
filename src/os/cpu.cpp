// SPDX-License-Identifier: BSD-3-Clause
#include "os/cpu.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "os/control_group.hpp"

namespace windrow::os {

namespace {

/// Larger than cpu_set_t, with which the kernel answers nothing where there are more than 1,024 processors.
struct kernel_set {
  cpu_set_t parts[most_processors / CPU_SETSIZE] = {};
};

int rounded_up(double processors) {
  return static_cast<int>(std::ceil(std::min(processors, static_cast<double>(most_processors))));
}

} // namespace

processor_set allowed_processors() {
  processor_set result;
  kernel_set set;
  if (::sched_getaffinity(0, sizeof set, set.parts) != 0) return result;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = CPU_ISSET_S(i, sizeof set, set.parts);
  return result;
}

int usable_cpus(const processor_set& allowed) {
  const int count = static_cast<int>(allowed.count());
  const auto quota = control_groups().processors();
  return std::max(1, quota ? std::min(count, rounded_up(*quota)) : count);
}

int usable_cpus() {
  return usable_cpus(allowed_processors());
}

int current_processor() {
  return std::max(0, ::sched_getcpu());
}

void stay_on_processor(int processor) {
  kernel_set set;
  CPU_SET_S(static_cast<std::size_t>(processor), sizeof set, set.parts);
  ::sched_setaffinity(0, sizeof set, set.parts);
}

void never_preempt_waker() {
  const sched_param priority{};
  ::sched_setscheduler(0, SCHED_BATCH, &priority);
}

std::uint64_t thread_cpu_ns() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(used.tv_nsec);
}

void yield() {
  ::sched_yield();
}

void sleep_precisely() {
  ::prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
}

void sleep(std::chrono::nanoseconds time) {
  std::this_thread::sleep_for(time);
}

} // namespace windrow::os
