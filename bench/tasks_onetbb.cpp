// SPDX-License-Identifier: BSD-3-Clause
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "bench/tasks_elsewhere.hpp"

namespace windrow::bench {
namespace {

std::uint64_t number(int n) {
  if (n < 2) return static_cast<std::uint64_t>(n);
  std::uint64_t a = 0;
  tbb::task_group group;
  group.run([&a, n] { a = number(n - 1); });
  const std::uint64_t b = number(n - 2);
  group.wait();
  return a + b;
}

std::uint64_t fibonacci(int n, int threads) {
  std::uint64_t result = 0;
  tbb::task_arena(threads).execute([&] { result = number(n); });
  return result;
}

void in_bulk(std::uint64_t count, void (*task)(void*), void* argument, int threads) {
  tbb::task_arena(threads).execute([&] {
    tbb::task_group group;
    for (std::uint64_t i = 0; i < count; ++i) group.run([=] { task(argument); });
    group.wait();
  });
}

} // namespace

const tasks_elsewhere onetbb_tasks{"oneTBB", fibonacci, in_bulk};

} // namespace windrow::bench
