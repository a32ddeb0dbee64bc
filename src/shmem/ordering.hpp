// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "defer/scheduler.hpp"
#include "pgas/core.hpp"
#include "shmem/state.hpp"

namespace windrow::shmem {

/// Returns when all aggregated operations of this PE are complete. Needs the other PEs to keep calling the
/// library.
void complete_aggregated();

/// Whether code is deferred. For a running job.
inline bool owes_deferred() {
  if (hot.owes_items) return true;
  if (!hot.core->has_threads()) return hot.deferred->any_records();
  const auto lock = hot.core->exclusive();
  return hot.deferred->any_records();
}
/// Completes all aggregated operations if it is; returns when that has run.
void complete_deferred();

/// Returns when that, and all direct operations on other hosts, are complete.
void complete_begun();

} // namespace windrow::shmem
