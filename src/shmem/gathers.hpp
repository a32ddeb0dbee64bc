// SPDX-License-Identifier: BSD-3-Clause
// Values of many places, read together: what `-fcomm` makes of reads whose places are known ahead
// (windrow/detail/comm_calls.h).
#pragma once

namespace windrow::shmem {

/// When the job begins, and when it ends.
void tell_compiled_code_of_far_pes(bool running);

/// For WINDROW_STATS: PE 0 prints how many values each PE has read so, if any has. Collective.
void report_gathers();

} // namespace windrow::shmem
