// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace windrow::tasks {

/// A future remembers who waits for it in the bits of a word.
inline constexpr int most_workers = 64;

/// Workers per PE that the environment asks for: WINDROW_WORKERS.
int workers_option();

} // namespace windrow::tasks
