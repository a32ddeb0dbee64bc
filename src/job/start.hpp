// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "transport/transport.hpp"

namespace windrow {

/// Makes this process a PE, in the way that its environment asks for:
///   started by `windrow run`        the PE that the launcher made it;
///   WINDROW_PES=N, N > 1            forks N PEs and returns in each; the calling process becomes their
///   launcher and
///                                   ends with the job's exit code without returning;
///   else                            the only PE.
/// WINDROW_TRANSPORT (self, shm) asks for a transport; one that is not possible is an error, never replaced
/// by another. Throws windrow::error.
std::unique_ptr<transport::transport> start_transport();

} // namespace windrow
