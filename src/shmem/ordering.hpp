// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "deferral/scheduler.hpp"
#include "pgas/core.hpp"
#include "shmem/state.hpp"

namespace windrow::shmem {

/// Returns when all operations on an aggregated context are complete: at least those that happened before
/// the call, by whatever thread. Needs the other PEs to keep calling the library.
void complete_aggregated(const shmem_ctx_object&);

/// Whether code is deferred; never where several threads may be in the library. For a running job.
inline bool owes_deferred() {
  return hot.owes_items || hot.deferred->any_records();
}
/// For code that is to be deferred. Ends the job where several threads may be in the library.
void require_one_thread(const char* routine);
/// Completes all aggregated operations if code is deferred; returns when that has run.
void complete_deferred();
/// Of the code that waits, what can run within 2 s. The job is going to end.
void run_deferred_before_end();

/// Returns when that, and all direct operations on other hosts, are complete.
void complete_begun();

} // namespace windrow::shmem
