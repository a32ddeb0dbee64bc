// SPDX-License-Identifier: BSD-3-Clause
// Light threads of PEs that are threads: for ThreadSanitizer too, which copes with some thousand at a time.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/tasks/random_forks.hpp"
#include "tests/tasks/with_workers.hpp"
#include "windrow/detail/thread_sanitizer.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

void run_with_each_number_of_workers(const std::function<void(job&)>& body) {
  for (const int workers : {1, 2, 3, 8}) run_with_workers(1, workers, body);
}

TEST(light_threads, end_before_their_finish_does) {
  run_with_each_number_of_workers([](job&) {
    std::atomic<int> ran = 0;
    finish([&] {
      for (int i = 0; i < 1000; ++i) spawn([&] { ++ran; });
    });
    EXPECT_EQ(ran, 1000);
  });
}

// The last one opens the gate for all others, which wait by then.
TEST(light_threads, any_number_may_wait) {
  run_with_each_number_of_workers([](job&) {
    constexpr int count = detail::thread_sanitizer ? 500 : 20'000;
    tasks::result_of_task<int> gate;
    std::atomic<int> arrived = 0, sum = 0;
    finish([&] {
      for (int i = 0; i < count; ++i)
        spawn([&] {
          auto make = [] { return 1; };
          if (++arrived == count)
            tasks::fulfil(gate, make);
          else
            gate.wait();
          sum += gate.value();
        });
    });
    EXPECT_EQ(sum, count);
  });
}

/// Two that wake each other, as long as that goes on.
class relay {
 public:
  void start() {
    spawn([this] { pass(first_, second_); });
    spawn([this] { pass(second_, first_); });
  }
  void end() { ended_ = true; }

 private:
  void pass(counting_semaphore<>& from, counting_semaphore<>& to) {
    while (!ended_) from.acquire(), to.release();
    to.release();
  }

  std::atomic<bool> ended_ = false;
  counting_semaphore<> first_{1}, second_{0};
};

// What was started before them is what ends them.
TEST(light_threads, do_not_keep_others_from_their_beginning) {
  run_with_each_number_of_workers([](job&) {
    relay of_task, of_light_thread;
    finish([&] {
      async([&] { of_task.end(); });
      of_task.start();
    });
    finish([&] {
      spawn([&] { of_light_thread.end(); });
      of_light_thread.start();
    });
  });
}

void start_until(const std::atomic<bool>& ends) {
  if (!ends) async([&] { start_until(ends); });
}

TEST(light_threads, and_tasks_without_end_keep_nothing_from_its_beginning) {
  run_with_each_number_of_workers([](job&) {
    std::atomic<bool> ends = false;
    finish([&] {
      async([&] { ends = true; });
      start_until(ends);
    });
  });
}

void run_with_few_workers(const std::function<void(job&)>& body) {
  for (const int workers : {1, 2}) run_with_workers(2, workers, body);
}

// Its worker always has something to run, and the call would wait for company.
TEST(light_threads, do_not_keep_what_others_have_sent) {
  run_with_few_workers([](job& j) {
    relay others;
    finish([&] {
      async_at(workers() - 1, [&] {
        spawn([&] {
          EXPECT_EQ(call(1 - j.pe(), [](int a) { return a + 1; }, 41).get(), 42);
          others.end();
        });
        others.start();
      });
    });
    std::atomic<bool> called = false;
    call(1 - j.pe(), [] {}).then([&] { called = true; });
    finish([&] { start_until(called); });
  });
}

std::atomic<bool> portable_has_run[2];

TEST(portable_tasks, begin_though_others_go_on) {
  run_with_few_workers([](job& j) {
    auto& has_run = portable_has_run[j.pe()];
    has_run = false;
    finish([&] {
      start_until(has_run);
      async_portable([](pe_t from) { portable_has_run[from] = true; }, j.pe());
    });
    j.barrier();
  });
}

TEST(yield, sends_and_serves_the_inbox_in_every_task) {
  run_with_few_workers([](job& j) {
    const auto call_and_yield = [&] {
      const auto answer = call(1 - j.pe(), [](int a) { return a + 1; }, 41);
      while (!answer.ready()) yield();
      EXPECT_EQ(answer.get(), 42);
    };
    finish([&] { async(call_and_yield); });
    finish([&] { async_at(workers() - 1, call_and_yield); });
    fork_join(call_and_yield, call_and_yield);
    j.barrier();
  });
}

// As tasks on one stack these could not end: the first would lie beneath the one that it waits for, which
// waits for the first.
TEST(light_threads, wait_in_any_order) {
  run_with_each_number_of_workers([](job&) {
    for (int round = 0; round < 50; ++round) {
      tasks::result_of_task<int> a1, a3;
      std::atomic<int> ended = 0;
      finish([&] {
        spawn([&] { // needs the third, and is needed by the second
          a3.wait();
          auto make = [&] { return a3.value() + 1; };
          tasks::fulfil(a1, make);
          ++ended;
        });
        spawn([&] {
          a1.wait();
          EXPECT_EQ(a1.value(), 4);
          ++ended;
        });
        spawn([&] {
          auto make = [] { return 3; };
          tasks::fulfil(a3, make);
          ++ended;
        });
      });
      ASSERT_EQ(ended, 3);
    }
  });
}

TEST(light_threads, return_results_and_exceptions) {
  run_with_each_number_of_workers([](job&) {
    std::vector<future<int>> chain;
    chain.push_back(spawn_future([] { return 0; }));
    for (int i = 1; i < 300; ++i)
      chain.push_back(spawn_future([before = chain.back()] { return before.get() + 1; }));
    EXPECT_EQ(chain.back().get(), 299);

    EXPECT_THROW(spawn_future([]() -> int { throw std::out_of_range("no"); }).get(), std::out_of_range);
    EXPECT_THROW(finish([] { spawn([] { throw std::logic_error("a light thread"); }); }), std::logic_error);
  });
}

// Each has its own exceptions under way, though all have one thread.
TEST(light_threads, may_wait_while_they_handle_exceptions) {
  run_with_each_number_of_workers([](job&) {
    mutex m;
    std::atomic<int> right = 0;
    finish([&] {
      for (int i = 0; i < 100; ++i)
        spawn([&, i] {
          try {
            throw i;
          } catch (const int& thrown) {
            const int other = spawn_future([i] {
                                try {
                                  throw std::to_string(i);
                                } catch (const std::string& s) {
                                  return async_future([n = std::stoi(s)] { return n; }).get();
                                }
                              }).get();
            const std::lock_guard held(m);
            yield();
            finish([] { async([] {}); });
            right += std::uncaught_exceptions() == 0;
            try {
              throw;
            } catch (const int& again) {
              right += again == i && thrown == i && other == i;
            }
          }
        });
    });
    EXPECT_EQ(right, 200);
  });
}

TEST(light_threads, wait_for_finishes) {
  run_with_each_number_of_workers([](job&) {
    std::atomic<int> right = 0;
    finish([&] {
      for (int i = 0; i < 100; ++i)
        spawn([&] {
          std::vector<int> parts(10);
          for (int round = 1; round <= 3; ++round) {
            finish([&] {
              for (auto& part : parts) async([&part] { finish([&] { spawn([&part] { ++part; }); }); });
            });
            right += parts == std::vector<int>(10, round);
          }
        });
    });
    EXPECT_EQ(right, 300);
  });
}

TEST(light_threads, fork) {
  run_with_each_number_of_workers([](job& j) {
    finish([&] {
      for (int i = 0; i < 3; ++i)
        spawn([&j, i] { run_random_forks(j, 20'260'103 + static_cast<std::uint64_t>(i), 10); });
    });
  });
}

// The handler does not return before they have ended, and runs nothing else.
TEST(light_threads, belong_to_blocking_messages) {
  for (const int workers : {1, 2, 3})
    run_with_workers(2, workers, [](job& j) {
      std::vector<long> parts(4);
      long messages = 0;
      stream<int> s(j, [&](std::span<const int> batch, pe_t) {
        for (const int value : batch) {
          finish([&] {
            for (auto& part : parts)
              spawn([&part, value] { part += spawn_future([=] { return value; }).get(); });
          });
          messages += 1;
          ASSERT_EQ(std::reduce(parts.begin(), parts.end()), 4 * messages);
        }
      });
      for (int i = 0; i < 300; ++i) s.send(i % j.pes(), 1);
      s.barrier();
      EXPECT_EQ(j.world().sum(messages), 300 * j.pes());
    });
}

// As a device would.
TEST(light_threads, are_woken_by_threads_that_are_no_workers) {
  run_with_workers(1, 2, [](job&) {
    for (int round = 0; round < 50; ++round) {
      tasks::result_of_task<int> result;
      auto make = [round] { return round; };
      std::thread outside([&] { tasks::fulfil(result, make); });
      finish([&] {
        for (int i = 0; i < 5; ++i)
          spawn([&] {
            result.wait();
            EXPECT_EQ(result.value(), round);
          });
      });
      outside.join();
    }
  });
}

TEST(light_threads, use_stacks_again) {
  run_with_workers(1, 1, [](job&) {
    std::atomic<const void*> lowest = nullptr, highest = nullptr;
    for (int i = 0; i < 1000; ++i)
      finish([&] {
        spawn([&] {
          const int here = 0;
          const void* const at = &here;
          if (lowest == nullptr || std::less<>{}(at, lowest.load())) lowest = at;
          if (std::less<>{}(highest.load(), at)) highest = at;
        });
      });
    EXPECT_LT(static_cast<const char*>(highest.load()) - static_cast<const char*>(lowest.load()), 1 << 20);
  });
}

} // namespace
} // namespace windrow::test
