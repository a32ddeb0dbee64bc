// SPDX-License-Identifier: BSD-3-Clause
// The engine among PEs that are threads: what ThreadSanitizer looks at.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/aggregation/random_operations.hpp"
#include "tests/aggregation/worker_traffic.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

TEST(threads, random_operations) {
  for (const pe_t pes : {1, 2, 3, 4, 8})
    run_threads(pes, [](job& j) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) run_random_operations(j, seed, 2, 600);
    });
}

void run_with_workers(pe_t pes, int workers, const std::function<void(job&)>& body) {
  ::setenv("WINDROW_WORKERS", std::to_string(workers).c_str(), 1);
  run_threads(pes, body);
  ::unsetenv("WINDROW_WORKERS");
}

TEST(threads, random_operations_from_all_workers) {
  for (const pe_t pes : {1, 2, 3})
    for (const int workers : {2, 4})
      run_with_workers(pes, workers, [](job& j) {
        for (std::uint64_t seed = 1; seed <= 10; ++seed) run_random_operations_in_tasks(j, seed, 2, 600);
      });
}

TEST(threads, messages_from_all_workers) {
  for (const pe_t pes : {1, 2, 3})
    run_with_workers(pes, 3, [](job& j) {
      send_in_order_of_tasks(j, 20, 300);
      send_items_of_any_size(j, 7, 10);
      send_from_tasks_of_handlers(j, 4);
      complete_in_tasks(j, 30);
    });
}

TEST(threads, handlers_that_send) {
  run_threads(4, [](job& j) {
    std::uint64_t handled = 0;
    stream<std::uint32_t> s(j, [&](std::span<const std::uint32_t> batch, pe_t) {
      handled += batch.size();
      for (const auto left : batch)
        if (left > 0) s.send((j.pe() + 1) % j.pes(), left - 1);
    });
    s.send(0, 500);
    s.barrier();
    EXPECT_EQ(j.world().sum(handled), 501U * 4);
  });
}

} // namespace
} // namespace windrow::test
