// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/work_deque.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

namespace windrow::tasks {
namespace {

struct item {
  int number = 0;
  std::atomic<int> taken = 0;
};

TEST(work_deque_threads, is_a_stack_to_its_owner) {
  for (const bool shared : {false, true}) {
    std::vector<item> items(1000); // more than the first ring holds
    work_deque<item> deque(shared);
    for (int turn = 0; turn < 3; ++turn) {
      EXPECT_EQ(deque.take(), nullptr);
      for (auto& i : items) deque.push(&i);
      EXPECT_EQ(deque.size(), 1000);
      for (auto i = items.rbegin(); i != items.rend(); ++i) ASSERT_EQ(deque.take(), &*i);
      EXPECT_EQ(deque.take(), nullptr);
      EXPECT_EQ(deque.size(), 0);
    }
  }
}

TEST(work_deque_threads, is_a_queue_to_thieves) {
  std::vector<item> items(1000);
  work_deque<item> deque(true);
  for (auto& i : items) deque.push(&i);
  for (auto& i : items) ASSERT_EQ(deque.steal(), &i);
  EXPECT_EQ(deque.steal(), nullptr);
  EXPECT_EQ(deque.take(), nullptr);
}

// Few items at a time, so that owner and thieves meet at the last one; bursts, so that rings grow meanwhile.
TEST(work_deque_threads, every_item_is_taken_once) {
  constexpr int rounds = 200'000, thieves = 3;
  work_deque<item> deque(true);
  std::vector<item> items(rounds + rounds / 1000 * 600);
  std::atomic<bool> over = false;
  std::atomic<long> sum_of_thieves = 0;
  std::latch ready(thieves + 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < thieves; ++t)
    threads.emplace_back([&] {
      long sum = 0;
      ready.arrive_and_wait();
      while (!over)
        if (item* i = deque.steal()) ++i->taken, sum += i->number;
      sum_of_thieves += sum;
    });

  long sum = 0;
  const auto take = [&] {
    if (item* i = deque.take()) ++i->taken, sum += i->number;
  };
  ready.arrive_and_wait();
  int next = 0;
  const auto push = [&] {
    items[static_cast<std::size_t>(next)].number = next; // plain: the deque must publish it
    deque.push(&items[static_cast<std::size_t>(next++)]);
  };
  for (int round = 0; round < rounds; ++round) {
    push();
    if (round % 1000 == 0)
      for (int i = 0; i < 600; ++i) push();
    take();
    if (round % 3 == 0) take();
  }
  while (deque.size() > 0) take();
  over = true;
  for (auto& thread : threads) thread.join();
  ASSERT_EQ(next, static_cast<int>(items.size()));
  for (const auto& i : items) ASSERT_EQ(i.taken, 1) << i.number;
  EXPECT_EQ(sum + sum_of_thieves, static_cast<long>(next) * (next - 1) / 2);
}

} // namespace
} // namespace windrow::tasks
