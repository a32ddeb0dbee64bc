// SPDX-License-Identifier: BSD-3-Clause
// Waiting of one PE.
#include <gtest/gtest.h>

#include <cstdlib>

#include "pgas/core.hpp"
#include "windrow/job.hpp"

namespace windrow {
namespace {

// Once in the stage of sleeping, what is waited for can be taken at one call of `done` only, the `at`th.
void take_once(pgas::core& core, int at) {
  const auto sleeps = core.stats().sleeps;
  int calls = 0, taken = 0;
  core.wait({pgas::for_value}, [&] {
    if (core.stats().sleeps == sleeps) return false;
    ++calls;
    if (calls == at) ++taken;
    return calls == at || calls > at + 10; // the latter so that the test ends
  });
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(calls, at);
}

TEST(wait_test, takes_what_it_waits_for_once) {
  run_threads(1, [](job& job) {
    for (int at = 1; at <= 6; ++at) take_once(job.core(), at);
  });
}

// As where threads share few processors: each part of a wait is over before it comes to sleep.
TEST(wait_test, notices_a_stall_of_parts_that_never_sleep) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto stall = [] {
    ::setenv("WINDROW_STALL_SECONDS", "1", 1);
    ::setenv("WINDROW_STALL_ABORT", "1", 1);
    run_threads(1, [](job& job) {
      std::uint64_t since_ns = 0;
      for (;;)
        job.core().wait_on(since_ns, [&] {
          job.core().wait({pgas::for_value}, [calls = 0]() mutable { return ++calls > 70; });
        });
    });
  };
  EXPECT_EXIT(stall(), testing::ExitedWithCode(1), "no progress for 1 s");
}

} // namespace
} // namespace windrow
