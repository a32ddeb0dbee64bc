// SPDX-License-Identifier: BSD-3-Clause
#include "transport/threads/threads.hpp"

#include "transport/host/private_memory.hpp"

namespace windrow::transport {

std::vector<std::unique_ptr<transport>> make_thread_transports(pe_t pes) {
  return make_private_transports("threads", pes);
}

} // namespace windrow::transport
