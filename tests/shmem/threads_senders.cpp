// SPDX-License-Identifier: BSD-3-Clause
// SHMEM_THREAD_MULTIPLE: each thread stores aggregated operations on its own. When they leave although nobody
// completes them, what a quiet of another thread completes, and that an item takes no lock.
#include <shmemx.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "pgas/core.hpp"
#include "tests/shmem/harness.h"
#include "windrow/windrow.hpp"

namespace {

constexpr long rounds = 20;
constexpr int most_threads = 4;

long flags[most_threads + 1], counters[most_pes * most_threads], total;
shmem_ctx_t shared;

/// A moment that two threads pass together.
class meeting {
 public:
  void arrive() {
    ++arrived_;
    arrived_.notify_all();
  }
  void await(int count) {
    for (int now = arrived_; now < count; now = arrived_) arrived_.wait(now);
  }

 private:
  std::atomic<int> arrived_ = 0;
};

void reset() {
  shmem_barrier_all();
  std::ranges::fill(flags, 0);
  std::ranges::fill(counters, 0);
  total = 0;
  shmem_barrier_all();
}

void in_threads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all.emplace_back(body, i);
  for (auto& t : all) t.join();
}

// ---- when items leave

int next_pe() {
  return (me + 1) % pes;
}

void test_the_end_of_a_thread_sends() {
  reset();
  std::thread([] { shmem_ctx_long_p(shared, &flags[0], 1, next_pe()); }).join();
  shmem_long_wait_until(&flags[0], SHMEM_CMP_EQ, 1);
}

// Each thread passes a number on to its like on the next PE.
void pass_on(int thread, bool by_tests) {
  auto* const mine = &flags[thread];
  for (long round = 1; round <= rounds; ++round) {
    if (me == 0) shmem_ctx_long_p(shared, mine, round, next_pe());
    if (by_tests)
      while (shmem_long_test(mine, SHMEM_CMP_EQ, round) == 0) {
      }
    else
      shmem_long_wait_until(mine, SHMEM_CMP_EQ, round);
    if (me != 0) shmem_ctx_long_p(shared, mine, round, next_pe());
  }
}

void test_who_waits_sends(int threads, bool by_tests) {
  reset();
  in_threads(threads, [=](int thread) { pass_on(thread, by_tests); });
}

// The thread that has stored something stops, outside of the library.
void test_a_quiet_sends_what_others_have(int threads) {
  reset();
  long fetched[most_threads] = {};
  for (long round = 1; round <= rounds; ++round) {
    meeting stored, quiet;
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i)
      all.emplace_back([&, i] {
        shmem_ctx_long_atomic_inc(shared, &counters[me * most_threads + i], next_pe());
        shmem_ctx_long_atomic_fetch_nbi(shared, &fetched[i], &flags[i], next_pe());
        stored.arrive();
        quiet.await(1);
      });
    stored.await(threads);
    shmem_ctx_quiet(shared);
    for (int i = 0; i < threads; ++i) {
      CHECK(shmem_long_atomic_fetch(&counters[me * most_threads + i], next_pe()) == round);
      CHECK(fetched[i] == 0);
    }
    quiet.arrive();
    for (auto& t : all) t.join();
  }
}

// Others go on sending all the time.
void test_a_quiet_ends_while_others_send(int threads) {
  reset();
  std::atomic<bool> stop = false;
  std::atomic<long> sent = 0;
  std::thread asks([&] {
    for (int i = 0; i < 20; ++i) shmem_ctx_quiet(shared);
    stop = true;
  });
  in_threads(threads, [&](int) {
    do {
      for (int i = 0; i < 1000; ++i) shmem_ctx_long_atomic_inc(shared, &total, i % pes);
      sent += 1000;
    } while (!stop);
  });
  asks.join();
  shmem_ctx_quiet(shared);
  static long all, sums;
  all = sent;
  shmem_barrier_all();
  CHECK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sums, &all, 1) == 0);
  static long arrived;
  CHECK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &arrived, &total, 1) == 0);
  CHECK(arrived == sums);
}

// More threads than there are blocks for stop with one open for each PE.
void test_idle_threads_keep_no_block() {
  reset();
  constexpr int many = 40;
  meeting stored, over;
  std::vector<std::thread> idle;
  for (int i = 0; i < many; ++i)
    idle.emplace_back([&] {
      for (int pe = 0; pe < pes; ++pe) shmem_ctx_long_atomic_inc(shared, &total, pe);
      stored.arrive();
      over.await(1);
    });
  stored.await(many);
  for (int i = 0; i < 100'000; ++i) shmem_ctx_long_atomic_inc(shared, &total, i % pes);
  shmem_ctx_quiet(shared);
  over.arrive();
  for (auto& t : idle) t.join();
  shmem_barrier_all();
  CHECK(total >= many * pes);
}

// ---- what an item costs

// The lock of the PE is taken meanwhile, so that whoever wanted it would wait for ever.
void test_an_item_takes_no_lock() {
  reset();
  auto& job = shmemx_job();
  constexpr int items = 4000;
  meeting ready, locked;
  const auto before = job.stats();
  std::thread stores([&] {
    shmem_ctx_long_atomic_inc(shared, &total, next_pe()); // it has its sender now
    ready.arrive();
    locked.await(1);
    for (int i = 1; i < items; ++i) shmem_ctx_long_atomic_inc(shared, &total, next_pe());
  });
  ready.await(1);
  {
    const auto lock = job.core().exclusive();
    locked.arrive();
    stores.join();
  }
  shmem_ctx_quiet(shared);
  const auto after = job.stats();
  CHECK(after.items_sent - before.items_sent == items);
  CHECK(after.blocks_sent - before.blocks_sent <= items * 4 / 8192 + 3);
  shmem_barrier_all();
  CHECK(total == items);
}

} // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : most_threads;
  int provided = -1;
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0 && provided == SHMEM_THREAD_MULTIPLE);
  me = shmem_my_pe();
  pes = shmem_n_pes();
  CHECK(shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &shared) == 0);
  test_the_end_of_a_thread_sends();
  test_who_waits_sends(threads, false);
  test_who_waits_sends(threads, true);
  test_a_quiet_sends_what_others_have(threads);
  test_a_quiet_ends_while_others_send(threads);
  test_idle_threads_keep_no_block();
  test_an_item_takes_no_lock();
  return finish_tests();
}
