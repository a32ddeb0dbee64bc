// SPDX-License-Identifier: BSD-3-Clause
// Coroutines that dependent code would resume: what they use is not in the function's hands.
#include <coroutine>
#include <stdexcept>

#include "job.h"

namespace {

constexpr int entries = 64, rounds = 6;

shmem_ctx_t context;
int64_t* from; // the same on all PEs
int other;

struct step {
  struct promise_type {
    step get_return_object() { return step{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  explicit step(std::coroutine_handle<promise_type> of) : handle(of) {}
  step(const step&) = delete;
  ~step() { handle.destroy(); }
  std::coroutine_handle<promise_type> handle;
};

int64_t fetched(int64_t i) {
  return shmem_ctx_int64_g(context, &from[i % entries], other);
}

step counting(int64_t& count) {
  for (int64_t i = 1;; i++) {
    count = count * 3 + i;
    co_await std::suspend_always{};
  }
}
step throwing(int64_t& count) {
  count = 5;
  co_await std::suspend_always{};
  throw std::runtime_error("thrown");
}
step waiting(int64_t& count) {
  for (;;) {
    shmem_barrier_all();
    count++;
    co_await std::suspend_always{};
  }
}

int64_t counts_once() {
  int64_t count = 1, sum = 0;
  auto one = counting(count);
#pragma shmem defer
  {
    const int64_t value = fetched(5);
    if (value >= 0) one.handle.resume();
    sum = value * 100 + count;
  }
  return sum + count;
}
int64_t counts_in_rounds() {
  int64_t count = 1, sum = 0;
  auto one = counting(count);
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    const int64_t value = fetched(i);
    if (value % 2 == 1) one.handle.resume();
    sum = sum * 3 + value + count;
  }
  return sum + count;
}
int64_t throws() {
  int64_t count = 0, sum = 0;
  auto one = throwing(count);
  one.handle.resume();
  try {
#pragma shmem defer
    {
      const int64_t value = fetched(3);
      sum = value;
      if (value >= 0) one.handle.resume();
      sum = 9;
    }
  } catch (const std::exception&) {
    sum += 1000;
  }
  return sum * 10 + count;
}
int64_t waits() {
  int64_t count = 0;
  auto one = waiting(count);
#pragma shmem defer
  {
    const int64_t value = fetched(3);
    if (value >= 0) one.handle.resume();
  }
  return count;
}

void show(const char* name, int64_t (*function)()) {
  const auto found = function();
  if (shmem_my_pe() == 0) printf("%s: %lld\n", name, static_cast<long long>(found));
}

} // namespace

int main() {
  context = start();
  from = symmetric(entries);
  for (int pe = 0; pe < shmem_n_pes(); pe++)
    for (int i = 0; i < entries; i++) shmem_int64_p(&from[i], 7 * i % 31 + i, pe);
  shmem_barrier_all();
  other = (shmem_my_pe() + 1) % shmem_n_pes();

  show("once", counts_once);
  show("in rounds", counts_in_rounds);
  show("throws", throws);
  show("waits", waits);
  shmem_barrier_all();
  shmem_finalize();
}
