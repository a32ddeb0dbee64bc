// SPDX-License-Identifier: BSD-3-Clause
// A memory fence that one thread executes for all threads of its process, so that the others need none
// (membarrier(2)): what happens often costs nothing then, and what happens rarely costs microseconds.
#pragma once

namespace windrow::os {

/// Whether `fence_all_threads` works here: from Linux 4.14 on, unless a sandbox forbids the call. Never
/// fails.
bool can_fence_all_threads();

/// Each running thread of this process executes a full memory fence between call and return. For processes
/// where `can_fence_all_threads` is true, which is to have been asked before.
void fence_all_threads();

} // namespace windrow::os
