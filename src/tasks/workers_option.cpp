// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/workers_option.hpp"

#include "base/options.hpp"

namespace windrow::tasks {

int workers_option() {
  return static_cast<int>(base::integer_option("WINDROW_WORKERS", 1, 1, most_workers));
}

} // namespace windrow::tasks
