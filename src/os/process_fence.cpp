// SPDX-License-Identifier: BSD-3-Clause
#include "os/process_fence.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace windrow::os {

namespace {
bool call(int command) {
  return ::syscall(SYS_membarrier, command, 0, 0) == 0;
}
} // namespace

bool can_fence_all_threads() {
  static const bool can = call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  return can;
}

void fence_all_threads() {
  call(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

} // namespace windrow::os
