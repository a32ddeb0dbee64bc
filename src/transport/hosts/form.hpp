// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "transport/foreign/launcher.hpp"
#include "transport/transport.hpp"

namespace windrow::transport {

/// Becomes a PE of a job whose processes a launcher of MPI has started, on any number of hosts: starts MPI,
/// finds out who shares a host, compares program, version and heap, and meets the others of this host.
/// Collective over these processes, while each has one thread. Throws windrow::error; a job that does not
/// form within WINDROW_START_SECONDS ends with a sentence.
std::unique_ptr<transport> form(const foreign_job&);

} // namespace windrow::transport
