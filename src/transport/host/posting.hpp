// SPDX-License-Identifier: BSD-3-Clause
// Inboxes and bells of the PEs of this host, for those who have something for them (README.md).
#pragma once

#include "transport/host/host_memory.hpp"

namespace windrow::transport {

/// Puts a block into the inbox of `to`. To be followed by `ring` unless `to` does it itself.
void post(const host_memory&, pe_t to, block*);
/// Wakes `pe` if it sleeps, and returns whether it did.
bool ring(const host_memory&, pe_t pe);

} // namespace windrow::transport
