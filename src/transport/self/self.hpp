// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "transport/transport.hpp"

namespace windrow::transport {

/// A job of one PE, in memory of this process.
std::unique_ptr<transport> make_self_transport();

} // namespace windrow::transport
