// SPDX-License-Identifier: BSD-3-Clause
#include "os/thread_watch.hpp"

#include <sys/stat.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

namespace windrow::os {

namespace {

// The C library's variable never says so again once there has been a second thread.
bool is_alone() {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded != 0;
#else
  return false;
#endif
}

// Each has a folder there.
std::size_t count_threads() {
  struct stat tasks{};
  return ::stat("/proc/self/task", &tasks) == 0 ? tasks.st_nlink : 0;
}

} // namespace

thread_watch::thread_watch() : was_alone_(is_alone()), threads_(count_threads()) {}

bool thread_watch::has_more() const {
  return was_alone_ ? !is_alone() : count_threads() > threads_;
}

} // namespace windrow::os
