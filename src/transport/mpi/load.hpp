// SPDX-License-Identifier: BSD-3-Clause
// Finds and loads the module for an MPI. The library itself needs none.
#pragma once

#include <memory>
#include <string>

#include "transport/hosts/network.hpp"

namespace windrow::transport {

/// The modules that exist.
inline constexpr const char* mpi_flavours[] = {"openmpi", "mpich"};

/// The file of the module for `flavour`, or an empty string if there is none.
std::string find_mpi_module(const std::string& flavour);
/// What to say where it is not found.
std::string why_no_mpi_module(const std::string& flavour);

/// Loads it and starts MPI. Collective over the processes that the launcher has started. Throws
/// windrow::error, naming the package that is missing.
std::unique_ptr<network> start_mpi(const std::string& flavour);

/// Whether a library came with the module: its variables belong to MPI, not to the program.
bool came_with_mpi(const char* path);

} // namespace windrow::transport
