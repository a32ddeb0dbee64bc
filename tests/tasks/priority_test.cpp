// SPDX-License-Identifier: BSD-3-Clause
// In which order tasks of each priority run, and that all of them do.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "tests/tasks/prioritized_tree.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

job& the_job() {
  return *job::of_this_process();
}

/// What has run, a letter each. With one worker, which runs one after the other.
std::string order;

auto writes(char letter) {
  return [letter] { order += letter; };
}

TEST(priority, says_which_come_first) {
  if (workers() > 1) GTEST_SKIP() << "others begin at once";
  order.clear();
  finish([] {
    async(priority::low, writes('x'));
    async(writes('a'));
    async(priority::low, writes('y'));
    async(priority::normal, writes('b'));
    async(priority::high, writes('1'));
    spawn(priority::high, writes('2'));
    spawn(priority::low, writes('z'));
  });
  EXPECT_EQ(order, "12baxyz");
}

TEST(priority, holds_for_what_tasks_start) {
  if (workers() > 1) GTEST_SKIP() << "others begin at once";
  order.clear();
  finish([] {
    for (int i = 0; i < 3; ++i)
      async([] {
        order += 'a';
        async(priority::low, writes('z'));
        async(priority::high, [] {
          order += '1';
          async(priority::high, writes('2'));
        });
      });
  });
  EXPECT_EQ(order, "a12a12a12zzz");
}

// Those that were given to a worker have their turn.
TEST(priority, keeps_nothing_from_the_worker_it_was_given_to) {
  std::atomic<bool> ran = false;
  finish([&] {
    struct again {
      std::atomic<bool>& stop;
      void operator()() const {
        if (!stop) async(priority::high, again(*this));
      }
    };
    async(priority::high, again{ran});
    async_at(communication_worker, [&] { ran = true; });
  });
  EXPECT_TRUE(ran);
}

TEST(priority, of_groups_and_futures) {
  std::atomic<int> sum = 0;
  task_group group;
  for (const auto p : {priority::high, priority::normal, priority::low}) {
    group.async(p, [&] { sum += 1; });
    group.spawn(p, [&] { sum += 10; });
  }
  group.wait();
  EXPECT_EQ(sum, 33);
  for (const auto p : {priority::high, priority::normal, priority::low}) {
    EXPECT_EQ(async_future(p, [] { return 7; }).get(), 7);
    EXPECT_THROW(finish([p] { async(p, [] { throw std::runtime_error("thrown"); }); }), std::runtime_error);
  }
}

// Who polls for it would otherwise keep its worker from it.
TEST(priority, low_is_not_never) {
  std::atomic<bool> ran = false;
  finish([&] {
    async(priority::low, [&] { ran = true; });
    spawn([&] {
      while (!ran) yield();
    });
  });
  EXPECT_TRUE(ran);
}

// The one that starts it calls nothing until it has run.
TEST(priority, is_seen_by_workers_that_sleep) {
  if (workers() == 1) GTEST_SKIP() << "nobody else is there";
  for (const auto p : {priority::high, priority::low})
    for (int i = 0; i < 200; ++i) {
      std::atomic<bool> ran = false;
      finish([&] {
        async(p, [&] { ran = true; });
        while (!ran) {
        }
      });
    }
}

// Tasks of a finish in a handler are looked for in the deques only.
TEST(priority, of_what_keeps_a_handler_from_returning) {
  auto& j = the_job();
  static std::atomic<int> ran;
  ran = 0;
  context ctx(j, aggregate);
  const auto at = j.allocate<int>(1);
  ctx.fetch_add(*at.on((j.pe() + 1) % j.pes()), 1).then_at_owner([](int) {
    finish([] {
      for (const auto p : {priority::high, priority::normal, priority::low}) async(p, [] { ++ran; });
    });
    ran += 10;
    for (const auto p : {priority::high, priority::normal, priority::low}) async(p, [] { ran += 100; });
  });
  ctx.barrier();
  EXPECT_EQ(ran, 313);
  j.free(at);
}

TEST(priority, random_trees_run_to_their_last_leaf) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto expected = prioritized_tree(seed).size();
    EXPECT_GE(expected, 29'524);
    EXPECT_EQ(prioritized_tree(seed).run(), expected) << "seed " << seed;
  }
}

// Of each priority 4096 wait, and more are as those without.
TEST(priority, of_many) {
  std::atomic<int> ran = 0;
  finish([&] {
    for (const auto p : {priority::high, priority::low})
      for (int i = 0; i < 20'000; ++i) async(p, [&] { ++ran; });
  });
  EXPECT_EQ(ran, 40'000);
}

} // namespace
} // namespace windrow::test
