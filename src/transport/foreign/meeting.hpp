// SPDX-License-Identifier: BSD-3-Clause
// How processes that no launcher of ours has started come to share memory.
#pragma once

#include <sys/types.h>

#include <vector>

#include "os/descriptor.hpp"
#include "transport/foreign/launcher.hpp"
#include "transport/shm/membership.hpp"

namespace windrow::transport {

/// Another PE of this host, as a process.
struct watched_pe {
  pe_t pe;
  pid_t pid;
  os::descriptor end; ///< readable once the process has ended
};

struct meeting_result {
  membership place;
  std::vector<watched_pe> others; ///< PE 0: all others; the others: PE 0
};

/// Brings the processes of a job on this host together: PE 0 makes the shared memory and hands it to the
/// others, once all have come and run the same program of the same version with heaps of the same size.
/// Returns in each of them. Throws windrow::error, in PE 0 alone where it concerns all, if somebody does not
/// come in WINDROW_START_SECONDS or does not fit.
meeting_result meet(const foreign_job&);

} // namespace windrow::transport
