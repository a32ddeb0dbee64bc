// SPDX-License-Identifier: BSD-3-Clause
#include "bench/tasks_elsewhere.hpp"

namespace windrow::bench {
namespace {

std::uint64_t number(int n) {
  if (n < 2) return static_cast<std::uint64_t>(n);
  std::uint64_t a = 0;
#pragma omp task shared(a) firstprivate(n)
  a = number(n - 1);
  const std::uint64_t b = number(n - 2);
#pragma omp taskwait
  return a + b;
}

std::uint64_t fibonacci(int n, int threads) {
  std::uint64_t result = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  result = number(n);
  return result;
}

void in_bulk(std::uint64_t count, void (*task)(void*), void* argument, int threads) {
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (std::uint64_t i = 0; i < count; ++i) {
#pragma omp task firstprivate(task, argument)
    task(argument);
  }
}

} // namespace

const tasks_elsewhere openmp_tasks{"OpenMP", fibonacci, in_bulk};

} // namespace windrow::bench
