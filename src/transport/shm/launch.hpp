// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "transport/shm/membership.hpp"

namespace windrow::transport {

struct launch_plan {
  pe_t pes;
  std::size_t heap_bytes;
  bool tag_output = false;
};

/// Makes the shared memory and forks the PEs. Returns in each of them, with its membership. Never returns in
/// the calling process, which stands by the PEs and ends with the exit code of the job, running no
/// destructors and no exit handlers: those belong to the PEs. Throws windrow::error if the job cannot be
/// started.
membership launch(const launch_plan&);

} // namespace windrow::transport
