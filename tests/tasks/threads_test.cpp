// SPDX-License-Identifier: BSD-3-Clause
// Tasks of PEs that are threads: what ThreadSanitizer looks at.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "tests/tasks/random_trees.hpp"
#include "tests/tasks/with_workers.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

TEST(task_threads, random_trees) {
  for (const pe_t pes : {1, 2, 3})
    for (const int workers : {1, 2, 4})
      run_with_workers(pes, workers, [](job& j) { run_random_trees(j, 1, 60); });
}

// The handlers change plain variables of the PE, and so do their tasks, each its own part. Only the rule that
// a blocking message ends before the next one begins makes that right.
TEST(task_threads, blocking_messages_do_not_race) {
  constexpr int each = 1000;
  for (const int workers : {1, 2, 3})
    run_with_workers(2, workers, [](job& j) {
      std::vector<long> parts(4);
      long messages = 0;
      stream<int> s(j, [&](std::span<const int> batch, pe_t) {
        for (const int value : batch) {
          finish([&] {
            for (auto& part : parts) async([&part, value] { part += value; });
          });
          messages += 1;
          ASSERT_EQ(std::reduce(parts.begin(), parts.end()), 4 * messages);
        }
      });
      for (int i = 0; i < each; ++i) s.send(i % j.pes(), 1);
      s.barrier();
      EXPECT_EQ(j.world().sum(messages), each * j.pes());
    });
}

// The result of a tree of tasks travels through plain memory.
long fibonacci(int n) {
  if (n < 2) return n;
  long a = 0, b = 0;
  finish([&] {
    async([&] { a = fibonacci(n - 1); });
    b = fibonacci(n - 2);
  });
  return a + b;
}

TEST(task_threads, finish_publishes_what_tasks_wrote) {
  for (const int workers : {1, 2, 4})
    run_with_workers(1, workers, [](job&) { EXPECT_EQ(fibonacci(20), 6765); });
}

TEST(task_threads, futures_publish_their_results) {
  run_with_workers(1, 3, [](job&) {
    for (int round = 0; round < 200; ++round) {
      const auto numbers = async_future([] { return std::vector<int>{1, 2, 3}; });
      std::vector<future<int>> sums;
      for (int i = 0; i < 10; ++i)
        sums.push_back(async_future([=] {
          const auto& n = numbers.get(); // several wait for the same
          return std::accumulate(n.begin(), n.end(), i);
        }));
      for (int i = 0; i < 10; ++i) EXPECT_EQ(sums[static_cast<std::size_t>(i)].get(), 6 + i);
    }
  });
}

TEST(task_threads, first_exception_comes_out_of_finish) {
  run_with_workers(1, 3, [](job&) {
    for (int round = 0; round < 100; ++round) {
      std::atomic<int> ran = 0;
      EXPECT_THROW(finish([&] {
                     for (int i = 0; i < 10; ++i)
                       async([&ran, i] {
                         ++ran;
                         if (i % 3 == 0) throw std::out_of_range("a task");
                       });
                   }),
                   std::out_of_range);
      EXPECT_EQ(ran, 10) << "tasks that had not begun were lost";
    }
  });
}

// As a device or a thread that reads files would. Both kinds of workers sleep until then.
TEST(task_threads, a_thread_that_is_no_worker_may_complete_a_future) {
  run_with_workers(1, 2, [](job&) {
    for (int round = 0; round < 50; ++round) {
      tasks::result_of_task<int> result;
      auto make = [round] { return round; };
      std::thread outside([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        tasks::fulfil(result, make);
      });
      finish([&] {
        async_at(1, [&] { result.wait(); });
        result.wait();
      });
      EXPECT_EQ(result.value(), round);
      outside.join();
    }
  });
}

// Who has waited may end the promise at once.
TEST(task_threads, promises_are_kept_on_other_workers_and_by_threads_that_are_none) {
  run_with_workers(1, 3, [](job& j) {
    context ctx(j, aggregate);
    long sum = 0;
    for (int round = 0; round < 100; ++round) {
      auto one = std::make_unique<promise<long>>();
      promise<long> two;
      two.get_future().then([&](long x) { sum += x; });
      std::thread outside([&] { two.set_value(2); });
      finish([&] {
        async([p = one.get()] { p->set_value(1); });
        sum += one->get_future().get();
        one = nullptr;
      });
      outside.join();
      ctx.complete_own();
      ASSERT_EQ(sum, 3 * (round + 1));
    }
  });
}

// Continuations are added on one worker while another one, or a thread that is none, completes the future.
TEST(task_threads, continuations_follow_once_on_the_thread_of_the_pe) {
  run_with_workers(1, 3, [](job& j) {
    context ctx(j, aggregate);
    long sum = 0; // plain, for one thread
    for (int round = 0; round < 300; ++round) {
      const auto result = std::make_shared<tasks::result_of_task<long>>();
      const future<long> shared(result);
      auto make = [] { return 1L; };
      const auto complete = [&] { tasks::fulfil(*result, make); };
      const auto add = [&] { shared.then([&](long x) { sum += x; }); };
      std::thread outside;
      if (round % 2 == 0) outside = std::thread(complete);
      finish([&] {
        for (int i = 0; i < 4; ++i) async(add);
        if (round % 2 == 1) async(complete);
      });
      if (outside.joinable()) outside.join();
      add();
      ctx.complete_own();
      ASSERT_EQ(sum, 5 * (round + 1));
    }
  });
}

// Sleeping workers wake for new tasks, for tasks given to them and for the end of the job.
deferred await_with(future<int> result, std::array<std::byte, 600> /*frame*/) {
  co_await result;
}

// Their memory becomes free on the PE's own thread, where nobody needs so much of it.
TEST(task_threads, coroutines_that_begin_on_another_worker_do_not_pile_up) {
  run_with_workers(1, 2, [](job& j) {
    context ctx(j, aggregate);
    for (int round = 0; round < 80; ++round) {
      finish([] {
        async_at(1, [] {
          for (int i = 0; i < 1000; ++i) await_with(spawn_future([] { return yield(), 1; }), {});
        });
      });
      ctx.complete_own();
    }
    std::size_t kept = 0;
    for (std::size_t units = 0; units < deferral::free_frames.size(); ++units)
      for (auto* f = deferral::free_frames[units]; f != nullptr; f = f->next)
        kept += units * deferral::frame_unit;
    EXPECT_LE(kept, std::size_t{33} << 20);
  });
}

// The job has ended then, but its workers are still there.
TEST(task_threads, tasks_that_are_started_after_finalize_end) {
  for (const int workers : {1, 3}) {
    std::atomic<int> ran = 0;
    run_with_workers(2, workers, [&](job& j) {
      j.finalize();
      finish([&] { async([&] { ++ran; }); });
      for (int i = 0; i < 10; ++i) async([&] { async_at(communication_worker, [&] { ++ran; }); });
    });
    EXPECT_EQ(ran, 22);
  }
}

TEST(task_threads, sleeping_workers_are_woken) {
  run_with_workers(1, 4, [](job&) {
    for (int round = 0; round < 100; ++round) {
      std::atomic<int> ran = 0;
      finish([&] {
        for (int w = 0; w < workers(); ++w) async_at(w, [&] { ++ran; });
      });
      EXPECT_EQ(ran, 4);
      std::this_thread::yield();
    }
  });
}

} // namespace
} // namespace windrow::test
