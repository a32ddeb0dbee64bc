// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace windrow::shmem {

/// Before the first use of an active set, on all PEs.
void open_active_sets();
/// Forgets all sets. When no PE is in a collective over one, nor will be before all have come here.
void close_active_sets();

} // namespace windrow::shmem
