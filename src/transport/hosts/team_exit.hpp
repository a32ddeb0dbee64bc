// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "transport/host/host_memory.hpp"
#include "transport/hosts/peer_hosts.hpp"

namespace windrow::transport {

/// Counts a member (record `leave`) out of a team whose first member is on this host. When all have left, the
/// other hosts learn that the slot is free before any PE of this one does, and so before any later step of
/// it.
void count_out(const host_memory&, peer_hosts&, const record&);

} // namespace windrow::transport
