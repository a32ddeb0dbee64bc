// SPDX-License-Identifier: BSD-3-Clause
// Tasks with priorities of PEs that are threads: what ThreadSanitizer looks at.
#include <gtest/gtest.h>

#include <atomic>

#include "tests/tasks/prioritized_tree.hpp"
#include "tests/tasks/with_workers.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

TEST(priority_threads, random_trees) {
  for (const int workers : {1, 2, 3, 8})
    run_with_workers(1, workers,
                     [](job&) { EXPECT_EQ(prioritized_tree(7).run(), prioritized_tree(7).size()); });
}

// What starts them, and they, write to plain memory; whoever starts one is busy until it has run.
TEST(priority_threads, see_what_was_written_and_show_what_they_write) {
  for (const int workers : {2, 3, 8})
    run_with_workers(1, workers, [](job&) {
      for (int round = 0; round < 200; ++round)
        for (const auto p : {priority::high, priority::low}) {
          int plain = round;
          std::atomic<bool> ran = false;
          finish([&] {
            async(p, [&] {
              ++plain;
              ran.store(true, std::memory_order_relaxed);
            });
            while (!ran.load(std::memory_order_relaxed)) {
            }
          });
          ASSERT_EQ(plain, round + 1);
        }
    });
}

// The last one that a worker takes leaves nobody to look for those that come meanwhile.
TEST(priority_threads, none_is_left_when_all_look_at_once) {
  for (const int workers : {2, 3, 8})
    run_with_workers(1, workers, [](job&) {
      std::atomic<int> ran = 0;
      for (int round = 1; round <= 300; ++round) {
        finish([&] {
          for (int i = 0; i < 4; ++i) async([&] { async(priority::high, [&] { ++ran; }); });
        });
        ASSERT_EQ(ran, 4 * round);
      }
    });
}

} // namespace
} // namespace windrow::test
