// SPDX-License-Identifier: BSD-3-Clause
// A vector and a span of it, from a caller: two pointers of unrelated origin meet.
// says: code at .*span.cpp:17 that does not wait for a fetch reads what dependent code at .*span.cpp:18
// writes
#include <span>

#include "../programs/job.h"

#include <vector>

static int64_t run(shmem_ctx_t ctx, const int64_t* table, const std::vector<int64_t>& values,
                   std::span<int64_t> again) {
  std::vector<int64_t> seen(50);
  int64_t sum = 0;
#pragma shmem defer
  for (std::size_t i = 1; i < 50; ++i) {
    seen[i] = values[i - 1];
    again[i] = shmem_g(ctx, &table[i], 0);
  }
  for (const int64_t one : seen) sum = sum * 3 + one;
  return sum;
}

int main() {
  const shmem_ctx_t ctx = start();
  int64_t* const table = symmetric(50);
  std::vector<int64_t> values(50);
  shmem_barrier_all();
  std::printf("%lld\n", static_cast<long long>(run(ctx, table, values, values)));
  shmem_finalize();
}
