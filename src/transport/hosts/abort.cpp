// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/abort.hpp"

#include <cstdlib>

#include "base/fatal.hpp"

namespace windrow::transport {

void end_with(const host_memory& memory, const std::string& sentence) {
  if (memory.job().loss_reported.exchange(1) == 0) base::say(sentence);
  std::_Exit(EXIT_FAILURE);
}

} // namespace windrow::transport
