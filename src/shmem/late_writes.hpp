// SPDX-License-Identifier: BSD-3-Clause
// Writes and updates of single values at places that a program computes, made together: what `-fcomm` makes
// of loops with such (windrow/detail/comm_calls.h).
#pragma once

namespace windrow::shmem {

/// For WINDROW_STATS: PE 0 prints how many writes and updates each PE has made so, if any has. Collective.
void report_late_writes();

} // namespace windrow::shmem
