// SPDX-License-Identifier: BSD-3-Clause
// Portable tasks of PEs that are threads, for ThreadSanitizer.
#include <gtest/gtest.h>

#include "tests/task/random_portable.hpp"
#include "tests/task/with_workers.hpp"

namespace windrow::test {
namespace {

TEST(portable_tasks, of_threads_run_random_trees) {
  for (const int workers : {1, 3})
    for (const pe_t pes : {1, 2, 4})
      run_with_workers(pes, workers, [](job& j) { run_random_portable_trees(j, 20'261'123, 14); });
}

} // namespace
} // namespace windrow::test
