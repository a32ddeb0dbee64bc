// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace windrow::detail {

/// What code may do with the job beyond sending, and, where that is nothing, which code it is.
enum class job_use : std::uint8_t {
  none,        ///< a task, or a thread of which the job knows nothing
  none_light,  ///< a light thread
  none_branch, ///< a branch of a fork_join, or steps of a parallel loop
  all,         ///< main code, and what was given to the communication worker
};

} // namespace windrow::detail
