// SPDX-License-Identifier: BSD-3-Clause
// WINDROW_BULK, chosen while the program runs.
#include <fmt/format.h>

#include "base/fatal.hpp"
#include "pgas/core.hpp"
#include "shmem/define.hpp"
#include "shmemx.h"

// Not a routine of OpenSHMEM, so without a profiling entry.
extern "C" int shmemx_set_bulk(int parts) {
  using namespace windrow;
  constexpr const char* routine = "shmemx_set_bulk";
  shmem::require_running(routine);
  if ((parts & ~SHMEMX_BULK_OVERLAP) != 0)
    base::fatal(fmt::format(
        "{}: {:#x} is no set of parts; give 0, or some of SHMEMX_BULK_PUTS, SHMEMX_BULK_BURSTS and "
        "SHMEMX_BULK_GETS",
        routine, static_cast<unsigned>(parts)));
  const auto before = shmem::hot.core->set_bulk({.puts = (parts & SHMEMX_BULK_PUTS) != 0,
                                                 .bursts = (parts & SHMEMX_BULK_BURSTS) != 0,
                                                 .gets = (parts & SHMEMX_BULK_GETS) != 0});
  return (before.puts ? SHMEMX_BULK_PUTS : 0) | (before.bursts ? SHMEMX_BULK_BURSTS : 0) |
         (before.gets ? SHMEMX_BULK_GETS : 0);
}
