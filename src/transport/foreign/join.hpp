// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "transport/foreign/launcher.hpp"
#include "transport/transport.hpp"

namespace windrow::transport {

/// Becomes a PE of a job on this host whose processes another launcher has started: meets the others, maps
/// the memory and watches over their lives. Only while this process has one thread. Throws windrow::error.
std::unique_ptr<transport> join(const foreign_job&);

} // namespace windrow::transport
