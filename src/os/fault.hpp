// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace windrow::os {

/// From now on a fault of this thread's memory accesses calls `explain(address)`, on a stack of its own. If
/// that returns, the fault is what it would have been. One `explain` for each process.
void explain_faults(void (*explain)(const void* address));

/// Ends this process by a signal some seconds from now, whatever it does. For a handler of signals that is
/// about to do what is not safe there.
void end_soon();

} // namespace windrow::os
