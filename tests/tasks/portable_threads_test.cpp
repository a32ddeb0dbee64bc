// SPDX-License-Identifier: BSD-3-Clause
// Portable tasks of PEs that are threads, for ThreadSanitizer.
#include <gtest/gtest.h>

#include <atomic>

#include "tests/tasks/random_portable.hpp"
#include "tests/tasks/with_workers.hpp"

namespace windrow::test {
namespace {

TEST(portable_tasks, of_threads_run_random_trees) {
  for (const int workers : {1, 3})
    for (const pe_t pes : {1, 2, 4})
      run_with_workers(pes, workers, [](job& j) { run_random_portable_trees(j, 20'261'123, 14); });
}

std::atomic<int> ran = 0;
constexpr auto one = [] { ++ran; };
constexpr auto two_deep = [](int depth, bool) {
  finish([=] {
    if (depth > 0) async_portable([](double) { ++ran; }, 0.5);
  });
};

// In main code without a finish, in a group, a loop, a branch and a handler; of a team's barrier; and none of
// it is waited for but by the end of the job.
TEST(portable_tasks, start_anywhere_and_end_before_the_job_does) {
  run_with_workers(4, 1, [](job& j) {
    async_portable(one);
    task_group group;
    group.async([] { async_portable(one); });
    group.wait();
    EXPECT_GE(ran, 1);
    parallel_for(0, 10, [](int) { async_portable(one); });
    fork_join([] { async_portable(one); }, [] { async_portable(one); });
    const auto half = j.world().split_strided(0, 1, 2);
    if (j.pe() < 2) {
      context ctx(j, half, aggregate);
      finish([] { async_portable(two_deep, 3, true); });
      ctx.barrier();
    }
    stream<int> messages(j, may_wait([](const int& n, pe_t) {
                           finish([=] {
                             for (int i = 0; i < n; ++i) async_portable(one);
                           });
                         }));
    messages.send((j.pe() + 1) % j.pes(), 3);
    EXPECT_EQ(j.world().sum(1), 4);
    async_portable(one);
    messages.barrier();
    async_portable([] {
      spawn([] {
        yield();
        ++ran;
      });
    });
  });
  EXPECT_EQ(ran, 4 * (1 + 1 + 10 + 2 + 3 + 1 + 1) + 2);
}

TEST(portable_tasks, bring_any_exception_home) {
  run_with_workers(3, 1, [](job& j) {
    for (int round = 0; round < 50; ++round) {
      int caught = 0;
      try {
        finish([] {
          for (int i = 0; i < 20; ++i)
            async_portable(
                [](int n) {
                  if (n % 2 == 0) throw n;
                },
                i);
        });
      } catch (...) { // an int, or an error with a text
        caught = 1;
      }
      EXPECT_EQ(caught, 1);
      j.barrier();
    }
  });
}

struct leaves {
  int operator()(int depth) const {
    if (depth == 0) return 1;
    const auto left = async_portable_future(leaves(), depth - 1);
    return (*this)(depth - 1) + left.get();
  }
};

TEST(portable_tasks, give_results_to_other_threads) {
  for (const int workers : {1, 2})
    run_with_workers(3, workers, [](job& j) {
      for (int round = 0; round < 10; ++round) {
        finish([] {
          for (int i = 0; i < 3; ++i) async([] { EXPECT_EQ(leaves()(6), 64); });
          spawn([] { EXPECT_EQ(async_portable_future(leaves(), 6).get(), 64); });
        });
        j.barrier();
      }
    });
}

} // namespace
} // namespace windrow::test
