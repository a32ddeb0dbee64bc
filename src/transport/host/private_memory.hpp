// SPDX-License-Identifier: BSD-3-Clause
// Memory of PEs that live in one process: a single PE, or PEs that are threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "transport/transport.hpp"

namespace windrow::transport {

/// The transports of `pes` PEs over fresh memory of this process, which lives as long as the last of them.
std::vector<std::unique_ptr<transport>> make_private_transports(const std::string& name, pe_t pes);

} // namespace windrow::transport
