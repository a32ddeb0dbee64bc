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

int usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int allowed = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return std::max(1, std::min(allowed, quota_cpus(allowed)));
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
