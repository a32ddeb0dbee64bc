// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace windrow::shmem {

/// Returns when all aggregated operations of this PE are complete. Needs the other PEs to keep calling the
/// library.
void complete_aggregated();

} // namespace windrow::shmem
