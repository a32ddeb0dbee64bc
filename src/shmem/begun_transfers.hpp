// SPDX-License-Identifier: BSD-3-Clause
// Bulk gets and puts that are begun where the program makes them, and complete before anything that could
// tell the difference: what `-fcomm` makes of blocking ones (windrow/detail/comm_calls.h).
#pragma once

namespace windrow::shmem {

/// For WINDROW_STATS: PE 0 prints how many gets and puts each PE has begun so, and how often it has waited
/// for them, if any has. Collective.
void report_begun_transfers();

} // namespace windrow::shmem
