// SPDX-License-Identifier: BSD-3-Clause
// fork_join of PEs that are threads: what ThreadSanitizer looks at.
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/tasks/random_forks.hpp"
#include "tests/tasks/with_workers.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

TEST(fork_join_threads, random_forks) {
  for (const int workers : {1, 2, 3, 8})
    run_with_workers(1, workers, [](job& j) { run_random_forks(j, 1, 60); });
}

TEST(fork_join_threads, random_forks_in_handlers) {
  for (const int workers : {1, 2, 3})
    run_with_workers(2, workers, [](job& j) { run_random_forks_in_handlers(j, 2, 20); });
}

// Results, and what the branches write, travel through plain memory.
long fibonacci(int n) {
  if (n < 2) return n;
  long a = 0;
  const auto b = fork_join([&] { a = fibonacci(n - 1); }, [&] { return fibonacci(n - 2); });
  return a + b;
}

TEST(fork_join_threads, the_join_publishes_what_branches_wrote) {
  for (const int workers : {1, 2, 3, 8})
    run_with_workers(1, workers, [](job&) {
      for (int round = 0; round < 20; ++round) ASSERT_EQ(fibonacci(15), 610);
    });
}

// Forks of one level, so that each is offered, and its owner and the thieves meet at the only one.
TEST(fork_join_threads, owner_and_thieves_meet_at_one_branch) {
  for (const int workers : {2, 3, 8})
    run_with_workers(1, workers, [](job&) {
      std::vector<int> plain(2);
      for (int round = 1; round <= 5000; ++round) {
        fork_join([&] { ++plain[0]; }, [&] { ++plain[1]; });
        ASSERT_EQ(plain, std::vector<int>(2, round));
      }
    });
}

TEST(fork_join_threads, exceptions_come_from_wherever_the_branch_ran) {
  run_with_workers(1, 3, [](job&) {
    for (int round = 0; round < 200; ++round)
      EXPECT_THROW(fork_join([] {}, [] { throw std::out_of_range("g"); }), std::out_of_range);
  });
}

TEST(fork_join_threads, loops_publish_what_they_wrote) {
  for (const int workers : {1, 2, 3, 8})
    run_with_workers(1, workers, [](job&) {
      std::vector<int> squares(20'000);
      parallel_for(0, 20'000, [&](int i) { squares[static_cast<std::size_t>(i)] = i; });
      for (int i = 0; i < 20'000; ++i) ASSERT_EQ(squares[static_cast<std::size_t>(i)], i);
    });
}

} // namespace
} // namespace windrow::test
