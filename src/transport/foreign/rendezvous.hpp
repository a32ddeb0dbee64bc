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
  os::descriptor end;  ///< readable once the process has ended
  os::descriptor kept; ///< perhaps open: by its end the other one learns of that of this process
};

struct rendezvous_result {
  membership place;
  std::vector<watched_pe> others; ///< the host: all others; the others: the host
};

/// The processes that meet, and the memory that they are to share.
struct rendezvous_plan {
  const foreign_job& job;
  std::vector<pe_t>
      here; ///< the PEs of this host in ascending order; the first is the host of the rendezvous
  segment_size segment;
  bool of_several_hosts = false;

  bool is_host() const { return job.pe == here.front(); }
};
/// A job that is all on one host.
rendezvous_plan plan_rendezvous(const foreign_job&);

/// Brings the processes of a job on this host together: the first PE makes the shared memory and hands it to
/// the others, once all have come and run the same program of the same version with heaps of the same size.
/// Returns in each of them. Throws windrow::error, in the first PE alone where it concerns all, if somebody
/// does not come in WINDROW_START_SECONDS or does not fit.
rendezvous_result meet(const rendezvous_plan&);

} // namespace windrow::transport
