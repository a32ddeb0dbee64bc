// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace windrow::pgas {

/// This thread is in the middle of a block that it applies with plain instructions (atomics_gate.hpp). Of use
/// where a PE has several threads; PEs that take turns on one have not.
inline constinit thread_local bool this_thread_applies = false;

} // namespace windrow::pgas
