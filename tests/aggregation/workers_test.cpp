// SPDX-License-Identifier: BSD-3-Clause
// Aggregated operations and messages that tasks send, on any worker. Run with 1 to 4 workers.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "aggregation/engine.hpp"
#include "base/options.hpp"
#include "tests/aggregation/random_operations.hpp"
#include "tests/aggregation/worker_traffic.hpp"
#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

TEST(workers, random_operations_equal_a_sequential_computation) {
  const auto seeds = base::integer_option("WINDROW_TEST_SEEDS", 30, 1, 1'000'000'000);
  const auto first = base::integer_option("WINDROW_TEST_FIRST_SEED", 1, 0, 1'000'000'000);
  for (long seed = first; seed < first + seeds && !HasFailure(); ++seed)
    run_random_operations_in_tasks(the_job(), static_cast<std::uint64_t>(seed), 2,
                                   seed % 20 == 0 ? 20'000 : 600);
}

TEST(workers, items_of_one_task_arrive_in_order) {
  send_in_order_of_tasks(the_job(), 4, 5000);
  send_in_order_of_tasks(the_job(), 300, 20);
}

TEST(workers, items_of_any_size_arrive_whole) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) send_items_of_any_size(the_job(), seed, 8);
}

TEST(workers, tasks_of_handlers_send_without_waiting) {
  send_from_tasks_of_handlers(the_job(), 12);
}

// Handlers, and tasks of theirs, run on the stacks of light threads that wait for room, and wait there
// themselves.
TEST(workers, light_threads_wait_for_room_to_send) {
  for (int round = 0; round < 3; ++round) send_from_tasks_of_handlers(the_job(), 12, true);
}

// More than there are blocks, from all workers, which therefore sleep until blocks come home.
TEST(workers, every_block_is_free_after_a_quiet) {
  auto& j = the_job();
  std::uint64_t arrived = 0;
  stream<std::uint64_t> s(j, [&](std::span<const std::uint64_t> batch, pe_t) { arrived += batch.size(); });
  constexpr std::uint64_t items = 200'000;
  for (int w = 0; w < workers(); ++w)
    async_at(w, [&] {
      for (std::uint64_t i = 0; i < items; ++i) s.send(static_cast<pe_t>(i) % j.pes(), i);
    });
  s.barrier();
  EXPECT_EQ(j.world().sum(arrived), j.world().sum(items * static_cast<std::uint64_t>(workers())));
  auto& pool = j.engine().pool();
  std::vector<transport::block*> blocks;
  while (auto* const b = pool.acquire()) blocks.push_back(b);
  EXPECT_EQ(blocks.size(), pool.size());
  for (auto* const b : blocks) pool.discard(b);
  j.barrier();
}

TEST(workers, a_task_completes_its_own_operations) {
  complete_in_tasks(the_job(), 100);
}

// What a task stores on its worker goes straight into that worker's blocks: a block in thousands of items is
// all that is ever handed over, and the communication worker runs no task for it.
TEST(workers, nothing_is_handed_over_for_an_item) {
  constexpr std::uint64_t items = 400'000;
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(64 * static_cast<std::uint64_t>(j.pes()));
  context ctx(j, aggregate);
  std::atomic<int> elsewhere = 0;
  const auto before = j.stats();
  const int last = workers() - 1;
  finish([&] {
    async_at(last, [&] {
      for (std::uint64_t i = 0; i < items; ++i) ctx.add(table[i % table.size()], 1);
      if (this_worker() != last) ++elsewhere;
    });
  });
  ctx.barrier();
  const auto after = j.stats();
  EXPECT_EQ(elsewhere, 0);
  if (after.items_sent != before.items_sent) { // a PE alone with one worker sends nothing
    EXPECT_EQ(after.items_sent - before.items_sent, items);
    EXPECT_LE(after.blocks_sent - before.blocks_sent, items * 4 / 8192 + 40);
  }
  std::uint64_t sum = 0;
  for (const auto value : table.local()) sum += value;
  EXPECT_EQ(j.world().sum(sum), items * static_cast<std::uint64_t>(j.pes()));
  j.barrier();
  j.free(table);
}

// Nobody completes anything on the PE of the task. The other one serves its inbox while its own operation
// travels.
TEST(workers, what_a_worker_has_stored_leaves_when_it_has_nothing_to_do) {
  auto& j = the_job();
  const auto pes = static_cast<std::uint64_t>(j.pes());
  auto flags = j.array<std::uint64_t>(2 * pes, cyclic);
  context ctx(j, aggregate);
  if (j.pes() > 1 && j.pe() == 0) finish([&] { async_at(workers() - 1, [&] { ctx.inc(flags[1]); }); });
  if (workers() > 1 && j.pe() == 1)
    while (get(j, flags[1]) == 0) {
      ctx.inc(flags[pes + 1]);
      ctx.complete_own();
    }
  j.barrier();
  ctx.barrier();
  if (j.pes() > 1) {
    EXPECT_EQ(get(j, flags[1]), 1U);
  }
  j.barrier();
  j.free(flags);
}

// In a task that waits for messages: another worker is in the middle of one that has stored something.
TEST(workers, a_quiet_asks_other_workers_for_what_they_have) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(static_cast<std::uint64_t>(j.pes()));
  context ctx(j, aggregate);
  for (int round = 0; round < 20; ++round) {
    finish([&] {
      const auto stored = async_future([&] { ctx.inc(table[static_cast<std::uint64_t>(j.pe())]); });
      async_at(communication_worker, [&, stored] {
        stored.wait();
        ctx.barrier();
        EXPECT_EQ(get(j, table[static_cast<std::uint64_t>(j.pe())]), static_cast<std::uint64_t>(round) + 1);
      });
      for (int i = 0; i < 50; ++i) async([&] { ctx.add(table[0], 0); });
    });
    ctx.barrier();
  }
  j.free(table);
}

} // namespace
} // namespace windrow::test
