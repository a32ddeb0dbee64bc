// SPDX-License-Identifier: BSD-3-Clause
#include "os/cpu.hpp"

#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

namespace windrow::os {

namespace {

// The control group's share of processor time, rounded up; "max" means all.
int quota_cpus(int otherwise) {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return otherwise;
  return static_cast<int>((std::stod(quota) + period - 1) / period);
}

} // namespace

processor_set allowed_processors() {
  processor_set result;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return result;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = CPU_ISSET(i, &set);
  return result;
}

int usable_cpus(const processor_set& allowed) {
  const int count = static_cast<int>(allowed.count());
  return std::max(1, std::min(count, quota_cpus(count)));
}

int usable_cpus() {
  return usable_cpus(allowed_processors());
}

int current_processor() {
  return std::max(0, ::sched_getcpu());
}

void stay_on_processor(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(processor), &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

void never_preempt_waker() {
  const sched_param priority{};
  ::sched_setscheduler(0, SCHED_BATCH, &priority);
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
