// SPDX-License-Identifier: BSD-3-Clause
// Waits with a limit of time, with each number of workers: for ThreadSanitizer too. What must happen is the
// same however long anything takes; exact times are those of simulated PEs.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <future>
#include <mutex>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "tasks/deadlines.hpp"
#include "tests/tasks/with_workers.hpp"
#include "windrow/detail/thread_sanitizer.hpp"
#include "windrow/simulation.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr auto long_enough = 1h;

void run_with_each_number_of_workers(const std::function<void(job&)>& body) {
  for (const int workers : {1, 2, 3, 8}) run_with_workers(1, workers, body);
}

/// `wait` as main code, as a task and as a light thread.
template <class Wait>
void by_all_kinds_of_code(Wait wait) {
  wait();
  finish([&] { async(wait); });
  finish([&] { spawn(wait); });
}

TEST(deadlines, give_the_earliest_first) {
  struct wait : tasks::timed_wait {
    bool is_there = false;
  };
  std::mt19937 random(7);
  std::vector<wait> waits(300);
  std::multiset<std::uint64_t> oracle;
  tasks::deadlines all;
  for (int step = 0; step < 20'000; ++step) {
    auto& w = waits[random() % waits.size()];
    if (!w.is_there) {
      EXPECT_FALSE(all.remove(w));
      w.due_ns = random() % 1000;
      all.add(w);
      oracle.insert(w.due_ns);
      w.is_there = true;
    } else if (random() % 2 == 0) {
      EXPECT_TRUE(all.remove(w));
      oracle.erase(oracle.find(w.due_ns));
      w.is_there = false;
    } else {
      auto& first = static_cast<wait&>(all.take_first());
      EXPECT_EQ(first.due_ns, *oracle.begin());
      oracle.erase(oracle.begin());
      first.is_there = false;
    }
    ASSERT_EQ(all.size(), oracle.size());
    ASSERT_EQ(all.first_ns(), oracle.empty() ? tasks::deadlines::never : *oracle.begin());
  }
}

TEST(limits, are_those_of_the_standard) {
  using tasks::limit_of;
  EXPECT_EQ(limit_of(-5s), 0ns);
  EXPECT_EQ(limit_of(0s), 0ns);
  EXPECT_EQ(limit_of(std::chrono::duration<double, std::nano>(0.1)), 1ns) << "never too early";
  EXPECT_EQ(limit_of(std::chrono::hours::max()), std::chrono::nanoseconds::max());
  EXPECT_EQ(limit_of(std::chrono::duration<double>(1e300)), std::chrono::nanoseconds::max());
  EXPECT_EQ(limit_of(clock::time_point::min()), 0ns);
  EXPECT_GT(limit_of(clock::time_point::max()), 24h * 365);
}

TEST(time_limits, that_are_over_let_nobody_wait) {
  run_with_each_number_of_workers([](job&) {
    by_all_kinds_of_code([] {
      mutex m;
      counting_semaphore<> permits(1);
      EXPECT_TRUE(permits.try_acquire_for(0s)) << "what is there is taken";
      EXPECT_FALSE(permits.try_acquire_for(-1s));
      EXPECT_FALSE(permits.try_acquire_until(clock::now() - 1s));
      EXPECT_TRUE(m.try_lock_for(0s));
      EXPECT_FALSE(m.try_lock_for(0s));
      m.unlock();
    });
  });
}

TEST(time_limits, pass) {
  run_with_each_number_of_workers([](job&) {
    by_all_kinds_of_code([] {
      mutex m, held_by_another;
      condition_variable never;
      counting_semaphore<> none(0);
      latch done(1);
      spawn([&] {
        const std::lock_guard held(held_by_another);
        done.wait();
      });
      while (held_by_another.try_lock()) held_by_another.unlock(), yield();
      const auto begin = clock::now();
      EXPECT_FALSE(none.try_acquire_for(2ms));
      EXPECT_GE(clock::now() - begin, 2ms);
      EXPECT_FALSE(held_by_another.try_lock_for(2ms));
      EXPECT_FALSE(std::unique_lock(held_by_another, 2ms).owns_lock());
      std::unique_lock held(m);
      EXPECT_EQ(never.wait_for(held, 2ms), std::cv_status::timeout);
      EXPECT_TRUE(held.owns_lock());
      EXPECT_EQ(never.wait_until(held, clock::now() + 2ms), std::cv_status::timeout);
      EXPECT_FALSE(never.wait_for(held, 2ms, [] { return false; }));
      EXPECT_GE(clock::now() - begin, 12ms);
      done.count_down();
      held_by_another.lock(); // not before the other has gone
      held_by_another.unlock();
    });
  });
}

TEST(time_limits, end_with_what_is_waited_for) {
  run_with_each_number_of_workers([](job&) {
    by_all_kinds_of_code([] {
      mutex m;
      condition_variable changed;
      counting_semaphore<> permits(0);
      bool is_true = false;
      const auto later = spawn_future([&] {
        for (int i = 0; i < 50; ++i) yield();
        permits.release();
        const std::lock_guard held(m);
        is_true = true;
        changed.notify_all();
        return 7;
      });
      EXPECT_TRUE(permits.try_acquire_for(long_enough));
      std::unique_lock held(m);
      EXPECT_TRUE(changed.wait_for(held, long_enough, [&] { return is_true; }));
      held.unlock();
      EXPECT_EQ(later.wait_for(long_enough), std::future_status::ready);
      EXPECT_EQ(later.wait_until(clock::now() + long_enough), std::future_status::ready);
      EXPECT_EQ(later.get(), 7);
    });
  });
}

TEST(time_limits, of_futures) {
  run_with_each_number_of_workers([](job&) {
    by_all_kinds_of_code([] {
      latch go(1);
      const auto waits = spawn_future([&] { go.wait(); });
      EXPECT_EQ(waits.wait_for(0s), std::future_status::timeout);
      EXPECT_EQ(waits.wait_for(1ms), std::future_status::timeout);
      std::atomic<int> knew = 0;
      finish([&] {
        for (int i = 0; i < 10; ++i) // with and without a limit
          spawn([&, i] {
            i % 2 == 0 ? waits.wait() : void(waits.wait_for(long_enough));
            knew += waits.ready();
          });
        for (int i = 0; i < 10; ++i) spawn([&, i] { waits.wait_for(1us * i); });
        spawn([&] { go.count_down(); });
      });
      EXPECT_EQ(knew, 10);
    });
  });
}

// While one waits, its worker does other things, and does not look at the clock instead.
TEST(time_limits, leave_the_worker_to_others) {
  run_with_each_number_of_workers([](job&) {
    constexpr int rounds = 1000;
    counting_semaphore<> never(0), permits(0);
    std::atomic<int> turns = 0;
    finish([&] {
      for (int i = 0; i < 20; ++i) spawn([&] { EXPECT_FALSE(never.try_acquire_for(5ms)); });
      spawn([&] {
        for (int i = 0; i < rounds; ++i) permits.acquire(), ++turns;
      });
      spawn([&] {
        for (int i = 0; i < rounds; ++i) permits.release(), yield();
      });
    });
    EXPECT_EQ(turns, rounds);
  });
}

// Limits are over and permits are given at the same time, on all workers: none is given twice, none is lost.
TEST(time_limits, lose_no_permit) {
  run_with_each_number_of_workers([](job&) {
    constexpr int waiters = detail::thread_sanitizer ? 300 : 2000, permits = waiters / 2;
    const unsigned seed = std::random_device()();
    counting_semaphore<> given(0);
    std::atomic<int> taken = 0;
    finish([&] {
      for (int i = 0; i < waiters; ++i)
        spawn([&, limit = std::chrono::microseconds(std::mt19937(seed + static_cast<unsigned>(i))() % 2000)] {
          if (given.try_acquire_for(limit)) ++taken;
        });
      for (int i = 0; i < permits; ++i) async([&] { given.release(); });
    });
    int left = 0;
    while (given.try_acquire()) ++left;
    EXPECT_EQ(taken + left, permits) << "seed " << seed;
  });
}

// The wait of main code is over while a task waits above it.
TEST(time_limits, pass_beneath_others) {
  run_with_workers(1, 1, [](job&) {
    mutex m;
    condition_variable told;
    counting_semaphore<> never(0);
    std::vector<char> order;
    async([&] {
      std::unique_lock held(m);
      spawn([&] {
        EXPECT_FALSE(never.try_acquire_for(3ms)); // later than main code
        told.notify_one();
      });
      told.wait(held);
      order.push_back('t');
    });
    std::unique_lock held(m);
    EXPECT_EQ(told.wait_for(held, 1ms), std::cv_status::timeout);
    order.push_back('m');
    EXPECT_EQ(order, (std::vector{'t', 'm'}));
  });
}

// The same of a mutex, whose holder waits with a limit in turn.
TEST(time_limits, let_one_hold_a_mutex) {
  run_with_each_number_of_workers([](job&) {
    mutex m;
    counting_semaphore<> never(0);
    int inside = 0, held = 0;
    std::atomic<int> refused = 0;
    constexpr int waiters = 200;
    finish([&] {
      for (int i = 0; i < waiters; ++i)
        spawn([&, i] {
          const std::unique_lock lock(m, std::chrono::microseconds(i * 10));
          if (!lock.owns_lock()) return void(++refused);
          EXPECT_EQ(++inside, 1);
          never.try_acquire_for(20us);
          --inside, ++held;
        });
    });
    EXPECT_EQ(held + refused, waiters);
    EXPECT_TRUE(m.try_lock());
    m.unlock();
  });
}

// ---- in simulated time, where looks at the inbox cost some nanoseconds

void run_sim(pe_t pes, const std::function<void(job&)>& body) {
  ::setenv("WINDROW_SIM", "hdr", 1);
  run_simulated(pes, body);
  ::unsetenv("WINDROW_SIM");
}

/// Since that moment.
void expect_passed(job& j, std::uint64_t since_ns, std::uint64_t ns) {
  EXPECT_GE(clock_ns(j) - since_ns, ns);
  EXPECT_LT(clock_ns(j) - since_ns, ns + 500);
}

TEST(time_limits, are_those_of_simulated_time) {
  run_sim(3, [](job& j) {
    by_all_kinds_of_code([&] {
      counting_semaphore<> none(0);
      const auto begin = clock_ns(j);
      EXPECT_FALSE(none.try_acquire_for(50us));
      expect_passed(j, begin, 50'000);
      const auto never = spawn_future([&] { return none.try_acquire_for(1ms); });
      EXPECT_EQ(never.wait_for(7us), std::future_status::timeout);
      expect_passed(j, begin, 57'000);
      EXPECT_FALSE(never.get());
      expect_passed(j, begin, 1'050'000);
    });
    j.barrier();
  });
}

// Those that are over earlier go on earlier, in whatever order they began.
TEST(time_limits, end_in_their_order) {
  run_sim(2, [](job& j) {
    counting_semaphore<> none(0);
    std::vector<int> order;
    finish([&] {
      for (const int limit : {30, 10, 50, 20, 40})
        spawn([&, limit] {
          EXPECT_FALSE(none.try_acquire_for(std::chrono::microseconds(limit)));
          order.push_back(limit);
        });
    });
    EXPECT_EQ(order, (std::vector{10, 20, 30, 40, 50}));
    j.barrier();
  });
}

// What comes from another PE in time ends a wait, and what comes late does not.
TEST(time_limits, of_messages) {
  run_sim(2, [](job& j) {
    counting_semaphore<> told(0);
    stream<int> messages(j, [&](std::span<const int> all, pe_t) { told.release(std::ssize(all)); });
    if (j.pe() == 0) {
      simulate_work(j, 100us);
      messages.send(1, 1);
      messages.barrier();
    } else {
      finish([&] {
        spawn([&] {
          EXPECT_FALSE(told.try_acquire_for(50us));
          EXPECT_TRUE(told.try_acquire_for(10ms));
        });
      });
      EXPECT_LT(clock_ns(j), 5'000'000U) << "it came at once when it was there";
      messages.barrier();
    }
  });
}

} // namespace
} // namespace windrow::test
