// SPDX-License-Identifier: BSD-3-Clause
// Launchers that are not ours and say in the environment what they have started.
#pragma once

#include <optional>
#include <string>

#include "windrow/types.hpp"

namespace windrow::transport {

/// What a launcher says about the job that this process belongs to.
struct foreign_job {
  std::string launcher; ///< as its users call it
  std::string key;      ///< the same in all processes of the job on this host, and in no other job
  pe_t pe;              ///< its rank
  pe_t pes;             ///< of the whole job
  bool on_one_host;     ///< as far as the launcher tells
  std::string mpi;      ///< the MPI that can talk to it: "openmpi", "mpich", or empty
};

/// The job of several processes that mpirun of Open MPI, mpiexec of MPICH and its relatives (PMI), or srun
/// has started with this one, if any. Programs that such a process starts in turn inherit what the launcher
/// has said; after `note_joined` they are not taken for it. Throws windrow::error where the environment
/// contradicts itself or does not say enough.
std::optional<foreign_job> find_foreign_job();

/// Tells programs that this process starts, by a variable, that they are no part of the job. Only while this
/// process has one thread.
void note_joined(const foreign_job&);

} // namespace windrow::transport
