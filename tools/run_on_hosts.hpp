// SPDX-License-Identifier: BSD-3-Clause
// `windrow run --hosts`: the launcher of an MPI starts the PEs, and Windrow puts the command together.
#pragma once

#include <string>
#include <vector>

namespace windrow::tools {

struct hosts_options {
  std::string hosts; ///< "a,b:4": names, each with the PEs that it may have; without: an equal share
  std::string mpi;   ///< which one's launcher, or empty: WINDROW_MPI, or whichever is there
  int pes;
  std::string bind; ///< "none", "core", "numa", or empty: as the launcher likes
  bool tag_output;
  bool as_root;                       ///< although Open MPI would refuse; others do not
  std::vector<std::string> variables; ///< "VAR" or "VAR=value" that PEs are to have too; set here already
};

/// The MPI asked for, or by WINDROW_MPI, or the first that is there. Throws windrow::error if its launcher or
/// its module is not.
std::string choose_mpi(const std::string& wanted);

/// The command that starts the program. Throws windrow::error if it cannot work: a name without a host, fewer
/// places than PEs, no launcher, no module for its MPI.
std::vector<std::string> command_on_hosts(const hosts_options&, const std::vector<std::string>& program);

} // namespace windrow::tools
