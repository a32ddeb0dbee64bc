// SPDX-License-Identifier: BSD-3-Clause
// Tools of the profiling interface, which define routines themselves and call the library's by their pshmem_
// names.
#pragma once

namespace windrow::shmem {

/// Whether this program has a tool for a routine that deferred code does without: a fetch or an update on a
/// context.
bool has_tool();

} // namespace windrow::shmem
