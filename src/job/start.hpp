// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "transport/foreign/launcher.hpp"
#include "transport/shm/membership.hpp"
#include "transport/transport.hpp"

namespace windrow {

/// How this process becomes a PE, by what its environment says:
///   started by `windrow run`             the PE that the launcher made it;
///   by mpirun, mpiexec or srun           the PE that has its rank; shares memory with the others of its host
///                                        and reaches other hosts by MPI;
///   WINDROW_PES=N, N > 1                 forks N PEs and goes on in each; the calling process becomes their
///                                        launcher and ends with the job's exit code without returning;
///   else                                 the only PE.
/// WINDROW_TRANSPORT (auto, self, shm, mpi) asks for a transport; one that is not possible is an error, never
/// replaced by another.
struct start_plan {
  std::optional<transport::membership> passed_on;
  std::optional<transport::foreign_job> foreign;
  bool alone = false;
  bool mpi = false;
  pe_t pes = 1;

  /// The name of the transport.
  std::string transport() const;
  /// The launcher that starts the PEs, as its users call it.
  std::string launcher() const;
};

/// Reads the environment; takes what `windrow run` has left there out of it. Throws windrow::error if it asks
/// for what is not possible.
start_plan plan_start();

/// Makes this process a PE as planned. Throws windrow::error.
std::unique_ptr<transport::transport> start_transport();

} // namespace windrow
