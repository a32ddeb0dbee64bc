// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "transport/host/host_memory.hpp"

namespace windrow::transport {

/// Gives a request that was sent its last phase, and wakes who sleeps on it; that PE counts as awake from now
/// on. Returns whether there was one.
bool settle(const host_memory&, request&, request_phase);

} // namespace windrow::transport
