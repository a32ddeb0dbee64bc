// SPDX-License-Identifier: BSD-3-Clause
// What light threads wait for, with each number of workers: for ThreadSanitizer too.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/tasks/with_workers.hpp"
#include "windrow/detail/thread_sanitizer.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

constexpr int many = detail::thread_sanitizer ? 300 : 10'000;

void run_with_each_number_of_workers(const std::function<void(job&)>& body) {
  for (const int workers : {1, 2, 3, 8}) run_with_workers(1, workers, body);
}

TEST(mutexes, exclude_others_also_while_their_holder_waits) {
  run_with_each_number_of_workers([](job&) {
    mutex m;
    int inside = 0, sum = 0;
    finish([&] {
      for (int i = 0; i < 200; ++i)
        spawn([&] {
          const std::lock_guard held(m);
          ASSERT_EQ(++inside, 1);
          yield();
          ++sum;
          --inside;
        });
    });
    EXPECT_EQ(sum, 200);
    EXPECT_TRUE(m.try_lock());
    EXPECT_FALSE(m.try_lock());
    m.unlock();
  });
}

TEST(mutexes, are_given_in_the_order_of_arrival) {
  run_with_workers(1, 1, [](job&) {
    mutex m;
    std::vector<int> order;
    latch all_wait(1);
    finish([&] {
      spawn_at(0, [&] {
        const std::lock_guard held(m);
        all_wait.wait();
      });
      for (int i = 0; i < 10; ++i)
        spawn_at(0, [&, i] {
          const std::lock_guard held(m);
          order.push_back(i);
        });
      spawn_at(0, [&] { all_wait.count_down(); });
    });
    EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  });
}

// Main code and tasks wait on the stack of their worker.
TEST(mutexes, are_for_main_code_and_tasks_too) {
  run_with_each_number_of_workers([](job&) {
    mutex m;
    int sum = 0;
    const auto add = [&] {
      const std::lock_guard held(m);
      ++sum;
    };
    finish([&] {
      for (int i = 0; i < 300; ++i) i % 3 == 0 ? async(add) : spawn(add);
      for (int i = 0; i < 100; ++i) add();
    });
    EXPECT_EQ(sum, 400);
  });
}

TEST(condition_variables, hand_over_all_items_of_a_bounded_buffer) {
  run_with_each_number_of_workers([](job&) {
    constexpr int producers = 5, consumers = 3, each = 300;
    mutex m;
    condition_variable room, items;
    std::deque<int> buffer;
    long sum = 0;
    int left = producers * each;
    finish([&] {
      for (int c = 0; c < consumers; ++c)
        spawn([&] {
          for (;;) {
            std::unique_lock held(m);
            items.wait(held, [&] { return !buffer.empty() || left == 0; });
            if (left == 0) return items.notify_all();
            sum += buffer.front();
            buffer.pop_front();
            if (--left == 0) items.notify_all();
            room.notify_one();
          }
        });
      for (int p = 0; p < producers; ++p)
        spawn([&] {
          for (int i = 1; i <= each; ++i) {
            std::unique_lock held(m);
            room.wait(held, [&] { return buffer.size() < 4; });
            buffer.push_back(i);
            items.notify_one();
          }
        });
    });
    EXPECT_EQ(sum, producers * (each * (each + 1) / 2));
  });
}

// Two wait on one stack, where only the uppermost can go on. `one_more` makes an item and tells.
void expect_each_is_told(const std::function<void(mutex&, condition_variable&, int& items)>& one_more) {
  mutex m;
  condition_variable filled;
  int items = 0, waiting = 0, got = 0;
  const auto consume = [&] {
    std::unique_lock held(m);
    ++waiting;
    filled.wait(held, [&] { return items > 0; });
    --items, ++got;
  };
  const auto sees = [&](const int& value, int expected) {
    wait_until([&] {
      const std::lock_guard held(m);
      return value == expected;
    });
  };
  finish([&] {
    async_at(0, consume);
    async_at(0, consume);
    spawn_at(workers() - 1, [&] {
      sees(waiting, 2);
      for (int told = 1; told <= 2; ++told) one_more(m, filled, items), sees(got, told);
    });
  });
  EXPECT_EQ(got, 2);
}

TEST(condition_variables, tell_the_one_that_can_go_on) {
  run_with_each_number_of_workers([](job&) {
    expect_each_is_told([](mutex& m, condition_variable& filled, int& items) {
      {
        const std::lock_guard held(m);
        ++items;
      }
      filled.notify_one();
    });
    expect_each_is_told([](mutex& m, condition_variable& filled, int& items) {
      const std::lock_guard held(m);
      ++items;
      filled.notify_all();
    });
  });
}

// Main code lies beneath the task, which began to wait later.
TEST(condition_variables, tell_tasks_above_main_code_first) {
  run_with_workers(1, 1, [](job&) {
    mutex m;
    condition_variable told;
    int waiting = 0;
    std::vector<char> order;
    const auto wait = [&](char who) {
      std::unique_lock held(m);
      if (++waiting == 2) spawn([&] { told.notify_one(), told.notify_one(); });
      told.wait(held);
      order.push_back(who);
    };
    async([&] { wait('t'); });
    wait('m');
    EXPECT_EQ(order, (std::vector{'t', 'm'}));
  });
}

TEST(latches, let_all_go_on) {
  run_with_each_number_of_workers([](job&) {
    latch arrived(many);
    std::atomic<int> gone = 0;
    finish([&] {
      for (int i = 0; i < many; ++i)
        spawn([&] {
          arrived.arrive_and_wait();
          ++gone;
        });
      arrived.wait(); // main code
      EXPECT_TRUE(arrived.try_wait());
    });
    EXPECT_EQ(gone, many);
  });
}

TEST(semaphores, admit_so_many) {
  run_with_each_number_of_workers([](job&) {
    counting_semaphore<> permits(3);
    std::atomic<int> inside = 0, ran = 0;
    finish([&] {
      for (int i = 0; i < 300; ++i)
        spawn([&] {
          permits.acquire();
          EXPECT_LE(++inside, 3);
          yield();
          --inside;
          ++ran;
          permits.release();
        });
    });
    EXPECT_EQ(ran, 300);
    EXPECT_TRUE(permits.try_acquire());
  });
}

TEST(events, need_all_their_signals_and_take_them_from_any_thread) {
  run_with_each_number_of_workers([](job&) {
    for (int round = 0; round < 20; ++round) {
      auto ready = std::make_unique<event>(3);
      std::atomic<int> woken = 0;
      std::thread outside([&e = *ready] { e.signal(); });
      finish([&] {
        for (int i = 0; i < 5; ++i)
          spawn([&] {
            ready->wait();
            ++woken;
          });
        async([&] { ready->signal(); });
        ready->signal();
      });
      EXPECT_EQ(woken, 5);
      EXPECT_TRUE(ready->ready());
      outside.join();
    }
  });
}

// One that yields lets tasks of its worker run, old and new.
TEST(light_threads, yield_to_tasks_and_to_each_other) {
  run_with_each_number_of_workers([](job&) {
    std::atomic<int> turn = 0;
    std::atomic<bool> ran = false;
    finish([&] {
      for (int me = 0; me < 4; ++me)
        spawn([&, me] {
          for (int round = 0; round < 50; ++round) {
            while (turn != me) yield();
            turn = (me + 1) % 4;
          }
        });
      spawn([&] {
        async([&] { ran = true; });
        while (!ran) yield();
      });
    });
    EXPECT_EQ(turn, 0);
  });
}

TEST(light_threads, wait_for_memory_that_nobody_announces) {
  run_with_each_number_of_workers([](job&) {
    std::atomic<int> value = 0, right = 0;
    finish([&] {
      for (int i = 0; i < many / 10; ++i)
        spawn([&, i] {
          wait_until([&] { return value.load() > i % 3; });
          right += value > i % 3;
        });
      std::thread outside([&] {
        for (int i = 0; i < 3; ++i) ++value, std::this_thread::yield();
      });
      wait_until([&] { return value == 3; }); // main code
      outside.join();
    });
    EXPECT_EQ(right, many / 10);
  });
}

TEST(light_threads, throw_what_a_condition_throws) {
  run_with_workers(1, 2, [](job&) {
    std::atomic<int> looks = 0;
    const auto condition = [&]() -> bool { return ++looks < 3 ? false : throw looks.load(); };
    EXPECT_THROW(finish([&] { spawn([&] { wait_until(condition); }); }), int);
  });
}

TEST(waits, end_with_what_their_condition_throws) {
  run_with_workers(1, 2, [](job& j) {
    const auto throws = [&] {
      int looks = 0;
      EXPECT_THROW(wait_until([&]() -> bool { return ++looks < 10 ? false : throw looks; }), int);
    };
    throws();
    finish([&] { async_at(communication_worker, throws); });
    // Nothing is left behind that would be looked at.
    const auto sleeps = j.stats().sleeps;
    finish([] { async_at(1, [] { std::this_thread::sleep_for(std::chrono::milliseconds(300)); }); });
    EXPECT_LT(j.stats().sleeps - sleeps, 50U);
  });
}

// As does a program of tests, PE by PE; the workers of the first one are gone then.
TEST(futures, may_outlive_their_pe) {
  future<int> result;
  run_with_workers(1, 2, [&](job&) {
    result = async_future([] { return 42; });
    result.wait();
  });
  int found = 0;
  run_with_workers(1, 2, [&](job& j) {
    result.then([&](int x) { found += x; });
    result.then([&](int x) { found += x; });
    context(j, aggregate).barrier();
  });
  EXPECT_EQ(result.get(), 42);
  EXPECT_EQ(found, 84);
}

std::atomic<int> asked = 0;
bool is_asked_often() {
  return ++asked > 10;
}

TEST(waits, ask_functions_too) {
  run_with_workers(1, 2, [](job&) {
    asked = 0;
    wait_until(is_asked_often);
    finish([] { spawn([] { wait_until(is_asked_often); }); });
    EXPECT_EQ(asked, 12);
  });
}

// The communication worker, which sleeps for 100 ms at a time, is told at once.
TEST(waits, end_when_the_last_that_looked_has_ended) {
  run_with_workers(1, 2, [](job& j) {
    context ctx(j, aggregate);
    auto shortest = std::chrono::steady_clock::duration::max();
    for (int i = 0; i < 5; ++i) {
      std::atomic<bool> begun = false, ends = false;
      std::chrono::steady_clock::time_point end;
      spawn_at(1, [&] {
        begun = true;
        wait_until([&] { return ends.load(); });
      });
      while (!begun) std::this_thread::yield();
      std::thread outside([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        end = std::chrono::steady_clock::now();
        ends = true;
      });
      ctx.barrier();
      const auto later = std::chrono::steady_clock::now();
      outside.join();
      shortest = std::min(shortest, later - end);
    }
    EXPECT_LT(shortest, std::chrono::milliseconds(30));
  });
}

// Exceptions under way belong to the light thread, whoever wakes it.
void compute_for(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

// On one worker no two compute at a time, so all together have no more time than there was.
TEST(busy_time, leaves_out_waits) {
  run_with_workers(1, 1, [](job&) {
    using namespace std::chrono_literals;
    std::chrono::nanoseconds waits{}, computes{}, around{}, task{};
    const auto begin = std::chrono::steady_clock::now();
    event ready(1);
    finish([&] {
      spawn([&] {
        const busy_time time;
        {
          const busy_time inner;
          ready.wait();
          const auto of_inner = inner.so_far();
          EXPECT_LE(of_inner, time.so_far());
        }
        compute_for(2ms);
        waits = time.so_far();
      });
      spawn([&] {
        const busy_time time;
        yield();
        compute_for(5ms);
        computes = time.so_far();
        ready.signal();
      });
    });
    async([&] {
      const busy_time time;
      finish([&] {
        async([&] {
          const busy_time inner;
          compute_for(5ms);
          task = inner.so_far();
        });
        spawn([] { compute_for(5ms); });
      });
      around = time.so_far();
    });
    finish([] { yield(); });
    while (around == 0ns) yield();
    const auto passed = std::chrono::steady_clock::now() - begin;
    EXPECT_GE(waits, 2ms);
    EXPECT_GE(computes, 5ms);
    EXPECT_GE(task, 5ms);
    EXPECT_LE(waits + computes + around + task + 5ms, passed);
  });
}

TEST(task_groups, wait_for_all_that_was_started_in_them) {
  run_with_each_number_of_workers([](job&) {
    task_group group;
    std::atomic<int> ran = 0, outside = 0;
    finish([&] {
      for (int round = 1; round <= 3; ++round) {
        for (int i = 0; i < 50; ++i) {
          group.async([&] {
            async([&] { ++ran; }); // belongs to the group too
            ++ran;
          });
          group.spawn("of a group", [&] {
            yield();
            finish([&] { async([&] { ++ran; }); });
          });
          async([&] { ++outside; });
        }
        group.wait();
        EXPECT_EQ(ran, 150 * round);
      }
    });
    EXPECT_EQ(outside, 150);
  });
}

TEST(task_groups, rethrow_and_are_usable_again) {
  run_with_each_number_of_workers([](job&) {
    finish([&] {
      spawn([] { // a group of a light thread
        task_group group;
        group.spawn([] { throw std::out_of_range("first"); });
        EXPECT_THROW(group.wait(), std::out_of_range);
        std::atomic<int> ran = 0;
        group.async([&] { ++ran; });
        group.wait();
        EXPECT_EQ(ran, 1);
      });
    });
  });
}

TEST(task_groups, may_be_waited_for_on_another_stack_of_their_worker) {
  run_with_workers(1, 1, [](job&) {
    task_group group;
    int ran = 0;
    for (int round = 1; round <= 2; ++round)
      finish([&] {
        spawn([&] {
          for (int i = 0; i < 9; ++i)
            group.spawn([&] {
              yield();
              ++ran;
            });
          group.wait();
          EXPECT_EQ(ran, 9 * round);
        });
      });
    group.spawn([&] { ++ran; });
    group.wait();
    EXPECT_EQ(ran, 19);
  });
}

TEST(task_groups, do_not_begin_what_is_cancelled) {
  run_with_workers(1, 1, [](job&) {
    task_group group;
    int begun = 0;
    group.spawn([&] {
      ++begun;
      while (!group.cancelled()) yield();
    });
    for (int i = 0; i < 100; ++i) group.async([&] { ++begun; });
    group.cancel();
    group.wait();
    EXPECT_EQ(begun, 0);
    group.async([&] { ++begun; });
    group.wait();
    EXPECT_EQ(begun, 1);
  });
}

// Any mixture, against what comes out if all of it runs in turn.
void run_random_waits(unsigned seed) {
  constexpr int threads = 60, steps = 40, locks = 4;
  struct account {
    mutex m;
    condition_variable changed;
    long amount = 0;
  };
  std::vector<account> accounts(locks);
  counting_semaphore<> permits(7);
  latch all_begun(threads);
  std::atomic<long> yielded = 0;
  long expected = 0, found = 0, expected_yields = 0;
  const auto steps_of = [=](int thread) { return std::mt19937(seed * 1000 + static_cast<unsigned>(thread)); };
  for (int t = 0; t < threads; ++t)
    for (auto [random, i] = std::pair(steps_of(t), 0); i < steps; ++i) {
      const auto r = random();
      if (r % 5 < 3)
        expected += static_cast<long>(r % 100);
      else
        ++expected_yields;
    }
  const auto step = [&](unsigned r) {
    auto& a = accounts[r / 100 % locks];
    if (r % 5 < 2) {
      const std::lock_guard held(a.m);
      a.amount += static_cast<long>(r % 100);
      a.changed.notify_one();
    } else if (r % 5 == 2) {
      permits.acquire();
      finish([&] {
        spawn([&] {
          const std::lock_guard held(a.m);
          a.amount += static_cast<long>(r % 100);
        });
      });
      permits.release();
    } else {
      yield();
      yielded += spawn_future([] { return 1; }).get();
    }
  };
  finish([&] {
    for (int t = 0; t < threads; ++t)
      spawn("random waits", [&, t] {
        all_begun.arrive_and_wait();
        auto random = steps_of(t);
        for (int i = 0; i < steps; ++i) step(random());
      });
  });
  for (auto& a : accounts) found += a.amount;
  EXPECT_EQ(found, expected) << "seed " << seed;
  EXPECT_EQ(yielded, expected_yields) << "seed " << seed;
}

TEST(light_threads, wait_in_random_ways) {
  run_with_each_number_of_workers([](job&) {
    for (unsigned round = 0; round < 8; ++round) run_random_waits(20'261'123 + round);
  });
}

} // namespace
} // namespace windrow::test
