// SPDX-License-Identifier: BSD-3-Clause
#include "apps/runner/resources.hpp"

#include <ctime>
#include <fstream>
#include <string>

namespace windrow::apps {

double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::uint64_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib * 1024;
  }
  return 0;
}

// proc_pid_clear_refs(5): 5 sets the high-water mark to what is resident now.
void forget_peak_memory() {
  std::ofstream("/proc/self/clear_refs") << '5';
}

} // namespace windrow::apps
