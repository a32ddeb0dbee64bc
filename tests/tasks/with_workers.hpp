// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <functional>
#include <string>

#include "windrow/windrow.hpp"

namespace windrow::test {

/// run_threads, with so many workers for each PE.
inline void run_with_workers(pe_t pes, int workers, const std::function<void(job&)>& body) {
  ::setenv("WINDROW_WORKERS", std::to_string(workers).c_str(), 1);
  run_threads(pes, body);
  ::unsetenv("WINDROW_WORKERS");
}

} // namespace windrow::test
