// SPDX-License-Identifier: BSD-3-Clause
// fork_join and parallel loops in a job of processes, with whatever number of workers WINDROW_WORKERS asks
// for.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "tests/support/pe_test.hpp"
#include "tests/tasks/random_forks.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

TEST(fork_join, random_forks) {
  run_random_forks(the_job(), 20'260'101, 300);
}

TEST(fork_join, random_forks_in_handlers) {
  run_random_forks_in_handlers(the_job(), 20'260'102, 50);
}

TEST(fork_join, returns_what_the_branches_return) {
  const auto [number, text] = fork_join([] { return 7; }, [] { return std::string("windrow"); });
  EXPECT_EQ(number, 7);
  EXPECT_EQ(text, "windrow");

  auto owned = fork_join([] { return std::make_unique<int>(1); }, [] { return std::make_unique<int>(2); });
  EXPECT_EQ(*owned.first + *owned.second, 3);

  int called = 0;
  EXPECT_EQ(fork_join([&] { ++called; }, [] { return 5; }), 5);
  EXPECT_EQ(fork_join([] { return 6; }, [&] { ++called; }), 6);
  static_assert(std::is_void_v<decltype(fork_join([] {}, [] {}))>);
  fork_join([&] { ++called; }, [] {});
  EXPECT_EQ(called, 3);
}

// Neither branch is cut short by the other's exception.
TEST(fork_join, rethrows_when_both_branches_have_ended) {
  std::atomic<int> ended = 0;
  const auto end = [&] { ++ended; };
  EXPECT_THROW(fork_join([]() -> int { throw std::logic_error("f"); }, end), std::logic_error);
  EXPECT_EQ(ended, 1);
  EXPECT_THROW(fork_join(end, [] { throw std::out_of_range("g"); }), std::out_of_range);
  EXPECT_EQ(ended, 2);
  EXPECT_THROW(fork_join([] { throw std::logic_error("f"); }, [] { throw std::out_of_range("g"); }),
               std::logic_error);
}

// The first branch does nothing until another worker has taken the second.
TEST(fork_join, idle_workers_take_the_second_branch) {
  if (workers() == 1) return;
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> taken_by = -1;
    fork_join(
        [&] {
          while (taken_by < 0) std::this_thread::yield();
        },
        [&] { taken_by = this_worker(); });
    EXPECT_NE(taken_by, 0);
  }
}

// The branches that lie around a wait are there for the others meanwhile.
TEST(fork_join, a_wait_offers_what_nobody_knew) {
  if (workers() == 1) return;
  constexpr int depth = 50;
  std::atomic<int> ended = 0;
  std::function<void(int)> nested = [&](int left) {
    if (left == 0)
      return finish([&] {
        async_at(0, [&] { // runs in the wait, and does not end before they do
          while (ended < depth) std::this_thread::yield();
        });
      });
    fork_join([&] { nested(left - 1); }, [&] { ++ended; });
  };
  nested(depth);
  EXPECT_EQ(ended, depth);
}

TEST(fork_join, tasks_of_branches_belong_to_the_finish_around) {
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> ran = 0;
    finish([&] { fork_join([&] { async([&] { ++ran; }); }, [&] { async([&] { ++ran; }); }); });
    ASSERT_EQ(ran, 2);
  }
}

TEST(fork_join, nests_deeply) {
  std::function<int(int)> depth = [&](int left) {
    if (left == 0) return 0;
    const auto [a, b] = fork_join([&] { return depth(left - 1); }, [] { return 1; });
    return a + b;
  };
  EXPECT_EQ(depth(5000), 5000);
}

TEST(fork_join, the_job_may_be_used_again_afterwards) {
  auto& j = the_job();
  EXPECT_THROW(fork_join([] { throw std::logic_error("f"); }, [] {}), std::logic_error);
  parallel_for(0, 10, [](int) {});
  j.barrier();
}

// Handlers take turns, so what they share needs no atomics; what they have forked has ended before the next.
TEST(fork_join, makes_its_message_a_blocking_one) {
  auto& j = the_job();
  std::vector<int> parts(4);
  int messages = 0;
  stream<int> s(j, [&](std::span<const int> batch, pe_t) {
    for (const int value : batch) {
      parallel_for(
          0, 4, [&](int i) { async([&parts, value, i] { parts[static_cast<std::size_t>(i)] += value; }); });
      ++messages;
      ASSERT_EQ(parts, std::vector<int>(4, messages));
    }
  });
  for (int i = 0; i < 300; ++i) s.send(i % j.pes(), 1);
  s.barrier();
  EXPECT_EQ(j.world().sum(messages), 300 * j.pes());
}

TEST(parallel_for, calls_its_body_once_for_each_index) {
  for (const int count : {0, 1, 2, 3, 10, 1000, 100'000}) {
    std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
    parallel_for(0, count, [&](int i) { ++calls[static_cast<std::size_t>(i)]; });
    for (const auto& c : calls) ASSERT_EQ(c, 1) << count;
  }
  std::atomic<int> calls = 0;
  parallel_for(5, -5, [&](int) { ++calls; });
  EXPECT_EQ(calls, 0);
}

template <class Index>
void go_through_all_of() {
  constexpr std::int64_t first = std::numeric_limits<Index>::min(), last = std::numeric_limits<Index>::max();
  std::atomic<std::int64_t> count = 0, sum = 0;
  parallel_for(std::numeric_limits<Index>::min(), std::numeric_limits<Index>::max(),
               [&](Index i) { ++count, sum += i; });
  EXPECT_EQ(count, last - first);
  EXPECT_EQ(sum, (last - first) * (first + last - 1) / 2);
}

TEST(parallel_for, has_indices_of_any_integral_type) {
  go_through_all_of<std::uint8_t>();
  go_through_all_of<std::int8_t>();
  go_through_all_of<std::int16_t>();
  std::atomic<std::uint64_t> last = 0;
  constexpr auto end = std::numeric_limits<std::uint64_t>::max();
  parallel_for(end - 2, end, [&](std::uint64_t i) { last += i - end; });
  EXPECT_EQ(last, static_cast<std::uint64_t>(-3));
}

// Nobody else would get to an index if the first worker kept its part to itself: all must come for some.
TEST(parallel_for, gives_work_to_those_who_have_none) {
  std::vector<std::atomic<int>> by(static_cast<std::size_t>(workers()));
  std::atomic<int> present = 0;
  parallel_for(0, 100'000, [&](int) {
    auto& mine = by[static_cast<std::size_t>(this_worker())];
    if (++mine == 1) ++present;
    while (present < workers()) std::this_thread::yield();
  });
  EXPECT_EQ(present, workers());
}

TEST(parallel_for, rethrows_the_exception_of_the_lowest_index) {
  for (int round = 0; round < 20; ++round) try {
      parallel_for(0, 1000, [](int i) {
        if (i % 300 == 250) throw std::out_of_range(std::to_string(i));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::out_of_range& e) {
      EXPECT_STREQ(e.what(), "250");
    }
}

TEST(parallel_reduce, combines_in_the_order_of_the_indices) {
  const auto text =
      parallel_reduce(0, 3000, std::string(), [](int i) { return std::to_string(i) + " "; }, std::plus<>{});
  std::string expected;
  for (int i = 0; i < 3000; ++i) expected += std::to_string(i) + " ";
  EXPECT_EQ(text, expected);
  EXPECT_EQ(parallel_reduce(0, 0, 42, [](int i) { return i; }, std::plus<>{}), 42);
  EXPECT_EQ(parallel_reduce(
                1, 1'000'001, std::int64_t{0}, [](int i) { return std::int64_t{i}; }, std::plus<>{}),
            500'000'500'000);
}

} // namespace
} // namespace windrow::test
