// SPDX-License-Identifier: BSD-3-Clause
#include "transport/self/self.hpp"

#include "transport/host/private_memory.hpp"

namespace windrow::transport {

std::unique_ptr<transport> make_self_transport() {
  return std::move(make_private_transports("self", 1).front());
}

} // namespace windrow::transport
