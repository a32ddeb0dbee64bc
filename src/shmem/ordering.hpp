// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace windrow::shmem {

/// Returns when all aggregated operations of this PE are complete. Needs the other PEs to keep calling the
/// library.
void complete_aggregated();

/// The same if code is deferred; returns when that has run.
void complete_deferred();

/// Returns when that, and all direct operations on other hosts, are complete.
void complete_begun();

} // namespace windrow::shmem
