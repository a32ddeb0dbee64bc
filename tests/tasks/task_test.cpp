// SPDX-License-Identifier: BSD-3-Clause
// Finish, async and futures in a job of processes, with whatever number of workers WINDROW_WORKERS asks for.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/pe_test.hpp"
#include "tests/tasks/random_trees.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

TEST(task, random_trees) {
  // 250 epochs in each of 16 jobs of 1 to 4 PEs and 1 to 4 workers: 10,000 trees.
  run_random_trees(the_job(), 20'260'101, 250);
}

TEST(task, finish_waits_for_tasks_of_tasks) {
  std::atomic<int> ran = 0;
  finish([&] {
    for (int i = 0; i < 10; ++i)
      async([&] {
        for (int k = 0; k < 10; ++k) async([&] { ++ran; });
      });
  });
  EXPECT_EQ(ran, 100);
}

TEST(task, inner_finish_leaves_the_tasks_of_the_outer_one_alone) {
  std::atomic<bool> released = false, ended = false;
  finish([&] {
    if (workers() == 1) return; // somebody must run what is waited for here
    async_at(1, [&] {
      while (!released) std::this_thread::yield();
      ended = true;
    });
    finish([&] { async([] {}); });
    EXPECT_FALSE(ended);
    released = true;
  });
  EXPECT_EQ(ended.load(), workers() > 1);
}

TEST(task, continuation_runs_on_the_thread_that_called_finish) {
  const auto here = std::this_thread::get_id();
  for (int i = 0; i < 100; ++i) {
    finish([] { async([] { async([] {}); }); });
    ASSERT_EQ(std::this_thread::get_id(), here);
  }
  finish([] {
    for (int w = 0; w < workers(); ++w)
      async_at(w, [w] {
        const auto there = std::this_thread::get_id();
        finish([] { async([] {}); });
        EXPECT_EQ(this_worker(), w);
        EXPECT_EQ(std::this_thread::get_id(), there);
      });
  });
}

TEST(task, tasks_given_to_a_worker_run_in_order) {
  for (int w = 0; w < workers(); ++w) {
    std::vector<int> order;
    finish([&] {
      for (int i = 0; i < 1000; ++i) async_at(w, [&order, i] { order.push_back(i); });
    });
    ASSERT_EQ(order.size(), 1000U);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  }
}

TEST(task, large_and_move_only_closures) {
  std::atomic<int> sum = 0;
  finish([&] {
    std::array<int, 1000> many{};
    many.fill(1);
    async([&sum, many] { sum += std::accumulate(many.begin(), many.end(), 0); });
    async([&sum, owned = std::make_unique<int>(5)] { sum += *owned; });
    struct wide {
      alignas(64) int value = 7;
    } w;
    async([&sum, w] { sum += reinterpret_cast<std::uintptr_t>(&w) % 64 == 0 ? w.value : 0; });
  });
  EXPECT_EQ(sum, 1012);
}

// Far more tasks than are kept: they run meanwhile, and memory does not grow with them.
TEST(task, a_million_tasks) {
  std::atomic<int> ran = 0, alive = 0, most = 0;
  finish([&] {
    for (int i = 0; i < 1'000'000; ++i) {
      const int now = ++alive;
      if (now > most) most = now;
      async([&] { ++ran, --alive; });
    }
  });
  EXPECT_EQ(ran, 1'000'000);
  EXPECT_LT(most, 4096 + 100);
}

void run_chain(int left, std::atomic<int>& ran) {
  ++ran;
  if (left > 1) async([left, &ran] { run_chain(left - 1, ran); });
}

// With so many waiting, each starts the next one at once: no stack holds all.
TEST(task, a_long_chain_behind_many) {
  std::atomic<int> ran = 0;
  finish([&] {
    for (int i = 0; i < 5000; ++i) async([&] { ++ran; });
    run_chain(300'000, ran);
  });
  EXPECT_EQ(ran, 305'000);
}

TEST(task, results_and_exceptions_of_futures) {
  const auto text = async_future([] { return std::string("windrow"); });
  const auto copy = text;
  EXPECT_EQ(text.get(), "windrow");
  EXPECT_EQ(copy.get(), "windrow");
  EXPECT_TRUE(copy.ready());

  const auto failing = async_future([]() -> int { throw std::runtime_error("no"); });
  EXPECT_THROW(failing.get(), std::runtime_error);
  EXPECT_THROW(failing.get(), std::runtime_error) << "the second time as well";

  bool done = false;
  async_future([&] { done = true; }).get();
  EXPECT_TRUE(done);
}

/// Counts copies.
struct numbers {
  std::vector<int> of;
  static inline std::atomic<int> copies = 0;

  explicit numbers(int n) : of(static_cast<std::size_t>(n), 1) {}
  numbers(const numbers& other) : of(other.of) { ++copies; }
  numbers(numbers&&) = default;
  ~numbers() { of.assign(of.size(), -1); } // who reads it later sees that
  auto begin() const { return of.begin(); }
  auto end() const { return of.end(); }
};

// A loop over what a future gives that ends with the expression.
TEST(task, results_outlive_futures_of_one_expression) {
  int sum = 0;
  for (const int n : async_future([] { return numbers(10); }).get()) sum += n;
  EXPECT_EQ(sum, 10);
  const auto kept = async_future([] { return numbers(10); });
  kept.wait();
  numbers::copies = 0;
  for (const int n : future(kept).get()) sum += n;
  EXPECT_EQ(numbers::copies, 1);
  for (const int n : kept.get()) sum += n;
  EXPECT_EQ(numbers::copies, 1);
  auto given_up = async_future([] { return numbers(10); });
  for (const int n : std::move(given_up).get()) sum += n;
  EXPECT_EQ(sum, 40);
  EXPECT_EQ(*async_future([] { return std::make_unique<int>(7); }).get(), 7);
}

TEST(task, finish_rethrows_what_its_body_or_a_task_throws) {
  std::atomic<int> ran = 0;
  EXPECT_THROW(finish([&] {
                 async([&] { ++ran; });
                 throw std::logic_error("the body");
               }),
               std::logic_error);
  EXPECT_EQ(ran, 1) << "finish must wait before it throws";
  EXPECT_THROW(finish([] { async([] { async([] { throw std::out_of_range("a task"); }); }); }),
               std::out_of_range);
  EXPECT_NO_THROW(finish([&] {
    EXPECT_THROW(finish([] { async([] { throw std::domain_error("an inner one"); }); }), std::domain_error);
  }));
}

// Tasks on any worker; what they find is added up at other PEs.
TEST(task, tasks_send_through_the_communication_worker) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(100);
  context ctx(j, aggregate);
  finish([&] {
    for (std::uint64_t i = 0; i < 100; ++i)
      async([&, i] { async_at(communication_worker, [&, i] { ctx.add(table[i], i); }); });
  });
  ctx.barrier();
  for (std::uint64_t i = 0; i < 100; ++i)
    EXPECT_EQ(get(j, table[i]), i * static_cast<std::uint64_t>(j.pes()));
  j.barrier();
  j.free(table);
}

// Each waits for a task on any worker, and then for one on the communication worker.
TEST(task, light_threads_wait_for_tasks_that_send) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(100);
  context ctx(j, aggregate);
  finish([&] {
    for (std::uint64_t i = 0; i < 100; ++i)
      spawn([&, i] {
        const auto value = async_future([i] { return i; }).get();
        finish([&] { async_at(communication_worker, [&, value] { ctx.add(table[i], value); }); });
      });
  });
  ctx.barrier();
  for (std::uint64_t i = 0; i < 100; ++i)
    EXPECT_EQ(get(j, table[i]), i * static_cast<std::uint64_t>(j.pes()));
  j.barrier();
  j.free(table);
}

TEST(task, quiet_waits_for_tasks_and_for_what_they_send) {
  auto& j = the_job();
  std::atomic<int> handled = 0;
  stream<int> s(j, [&](std::span<const int> batch, pe_t) {
    for (const int left : batch) {
      ++handled;
      if (left == 0) continue;
      // Escapes from the handler; on any worker; sends on.
      async([&, left] {
        async_at(communication_worker, [&, left] { s.send((j.pe() + 1) % j.pes(), left - 1); });
      });
    }
  });
  for (int round = 0; round < 5; ++round) {
    s.send(j.pe(), 100);
    s.barrier();
    const int now = handled.exchange(0);
    EXPECT_EQ(j.world().sum(now), 101 * j.pes());
  }
}

TEST(task, a_task_given_to_the_communication_worker_may_wait_for_messages) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(static_cast<std::uint64_t>(j.pes()));
  context ctx(j, aggregate);
  finish([&] {
    async([&] { // waits for a task that waits for messages
      finish([&] {
        async_at(communication_worker, [&] {
          ctx.inc(table[0]);
          ctx.barrier();
        });
      });
      async_at(communication_worker, [&] { EXPECT_EQ(get(j, table[0]), static_cast<unsigned>(j.pes())); });
    });
  });
  j.barrier();
  j.free(table);
}

// A flood of messages whose handlers start tasks: only so many are kept.
TEST(task, tasks_of_handlers_do_not_pile_up) {
  auto& j = the_job();
  std::atomic<int> alive = 0, most = 0, ran = 0;
  stream<int> s(j, [&](std::span<const int> batch, pe_t) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const int now = ++alive;
      if (now > most) most = now;
      async([&] { --alive, ++ran; });
    }
  });
  constexpr int each = 300'000;
  for (int i = 0; i < each; ++i) s.send((j.pe() + i) % j.pes(), i);
  s.barrier();
  const int now = ran;
  EXPECT_EQ(j.world().sum(now), each * j.pes());
  EXPECT_LT(most, 4096 + 200'000) << "one arrival of blocks at most is added to what is kept";
}

// Those beyond 4096 run in sends, each of which ends all the same.
TEST(task, tasks_of_handlers_that_go_on_do_not_keep_a_send) {
  auto& j = the_job();
  std::atomic<bool> ends = false;
  std::function<void()> go_on = [&] {
    if (!ends) async([&] { go_on(); });
  };
  stream<int> s(j, [&](std::span<const int> batch, pe_t) {
    for (std::size_t i = 0; i < batch.size(); ++i) async([&] { go_on(); });
  });
  for (int i = 0; i < 6000; ++i) s.send(j.pe(), i);
  ends = true;
  s.barrier();
}

// However many wait: a task that waits may not do so in a continuation.
TEST(task, continuations_start_tasks_but_run_none) {
  auto& j = the_job();
  const auto cell = j.allocate<std::uint64_t>(1);
  context at_once(j, blocking);
  std::atomic<int> ran = 0;
  const auto waits = [&] { finish([&] { async_at(this_worker(), [&] { ++ran; }); }); };
  finish([&] {
    for (int i = 0; i < 5000; ++i) async([] {});
    at_once.fetch_inc(*cell).then([&](std::uint64_t) { async(waits); });
  });
  EXPECT_EQ(ran, 1);
  stream<int> s(j, [&](std::span<const int> batch, pe_t) {
    for (std::size_t i = 0; i < batch.size(); ++i) async(waits);
  });
  constexpr int many = 20'000;
  at_once.fetch_inc(*cell).then([&](std::uint64_t) {
    for (int i = 0; i < many; ++i) s.send(j.pe(), i);
  });
  s.barrier();
  EXPECT_EQ(ran, 1 + many);
  j.free(cell);
}

// The PE's own thread is in a handler meanwhile, which says nothing of the task.
TEST(task, what_a_task_sends_to_the_owner_has_happened_on_other_contexts) {
  auto& j = the_job();
  if (workers() == 1) return;
  const auto cell = j.allocate<std::uint64_t>(1);
  auto& mine = *j.local(cell);
  context at_once(j, blocking);
  std::atomic<bool> handles = false, returned = false;
  stream<int> s(j, [&](std::span<const int>, pe_t) {
    handles = true;
    for (int i = 0; i < 200 && !returned; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  finish([&] {
    async_at(1, [&] {
      while (!handles) std::this_thread::yield();
      at_once.fetch_inc(*cell).then_at_owner(
          [](std::uint64_t, std::uint64_t& place, const owner&) { place = 7; });
      EXPECT_EQ(std::atomic_ref(mine).load(), 7U);
      returned = true;
    });
    s.send(j.pe(), 1);
  });
  s.barrier();
  j.free(cell);
}

} // namespace
} // namespace windrow::test
