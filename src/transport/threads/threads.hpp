// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "transport/transport.hpp"

namespace windrow::transport {

/// One transport for each of `pes` PEs that are threads of this process. The memory they share lives as long
/// as the last of them.
std::vector<std::unique_ptr<transport>> make_thread_transports(pe_t pes);

} // namespace windrow::transport
